//! The states of a search by number.

tioga_base::define_id! {
    /// A stored state.
    NodeId = "node";
    /// A distinct key.
    KeyId = "key";
}
