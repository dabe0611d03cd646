//! What is kept between requests because it took long to compute: solved games and journals that were read. Everything
//! can be computed again, so nothing depends on it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tioga::{Effort, Failure, ModelSource};
use tioga_views::game::{Aim, SolvedGame};
use tioga_views::runs::ReadJournal;

/// How many of each are kept.
const KEPT: usize = 6;

/// The last values, each with what it was computed from.
#[derive(Debug)]
struct Recent<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<K: PartialEq, V> Recent<K, V> {
    /// The value of a key, computed if it is not there. Two requests may compute the same at the same time.
    fn get<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().iter().find(|(own, _)| *own == key).map(|(_, value)| value.clone());
        if let Some(value) = known {
            return Ok(value);
        }
        let value = Arc::new(compute()?);
        let mut all = lock();
        all.retain(|(own, _)| *own != key);
        all.push((key, value.clone()));
        if all.len() > KEPT {
            all.remove(0);
        }
        Ok(value)
    }
}

/// What tells a file from what it was before: where it is, how large, and when it was written.
type Stamp = (PathBuf, u64, Option<SystemTime>);

/// What is kept between requests.
#[derive(Debug, Default)]
pub struct Caches {
    games: Recent<(ModelSource, Aim), SolvedGame>,
    journals: Recent<Stamp, ReadJournal>,
}

impl Caches {
    /// A solved game.
    pub fn game(
        &self,
        source: ModelSource,
        aim: Aim,
        effort: &mut Effort<'_>,
    ) -> Result<Arc<SolvedGame>, Failure> {
        let key = (source.clone(), aim.clone());
        self.games.get(key, || SolvedGame::solve(source, &aim, effort))
    }

    /// A journal as it is now.
    pub fn journal(&self, path: &Path) -> Result<Arc<ReadJournal>, Failure> {
        let metadata = std::fs::metadata(path).ok();
        let length = metadata.as_ref().map_or(0, std::fs::Metadata::len);
        let written = metadata.and_then(|metadata| metadata.modified().ok());
        self.journals.get((path.to_owned(), length, written), || ReadJournal::open(path))
    }
}
