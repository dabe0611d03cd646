//! The ids of the intermediate model.

tioga_base::define_id! {
    /// A process of the network.
    ProcessId = "process";
    /// A location of one process.
    LocationId = "location";
    /// An edge of one process.
    EdgeId = "edge";
    /// A clock of the network; a purpose's own clocks follow after the network's.
    ClockId = "clock";
    /// A variable of the network, of any type.
    VariableId = "variable";
    /// A channel; the elements of an array of channels are consecutive.
    ChannelId = "channel";
    /// A plain action label.
    ActionId = "action";
    /// A function.
    FunctionId = "function";
    /// An expression in [`Code`](crate::Code).
    ExprId = "expr";
}
