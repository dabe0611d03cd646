//! Files that are replaced at once, when they are complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its final place, so that the old file survives an interruption. A
/// special file, such as a pipe, is written directly.
#[derive(Debug)]
pub struct NewFile {
    writer: BufWriter<File>,
    /// Where it is, and where it goes; nothing if it is there already.
    moves: Option<(PathBuf, PathBuf)>,
}

impl NewFile {
    /// Begins a file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(path);
        let plain = std::fs::metadata(&target).map_or(true, |metadata| metadata.is_file());
        let (true, Some(name)) = (plain, target.file_name()) else {
            return Ok(Self { writer: BufWriter::new(File::create(path)?), moves: None });
        };
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let part = target.with_file_name(hidden);
        Ok(Self { writer: BufWriter::new(File::create(&part)?), moves: Some((part, target)) })
    }

    /// Checks whether a file could be created here, and changes nothing. A pipe is not opened,
    /// because its reader would notice.
    pub fn rehearse(path: &Path) -> io::Result<()> {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => Ok(()),
            _ => Self::create(path).map(drop),
        }
    }

    /// Where it is while it is not complete; nothing if it is in its place.
    pub fn part(&self) -> Option<&Path> {
        self.moves.as_ref().map(|(part, _)| part.as_path())
    }

    /// Puts the file into its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some((part, target)) = &self.moves else { return Ok(()) };
        if let Ok(metadata) = std::fs::metadata(target) {
            std::fs::set_permissions(part, metadata.permissions())?;
        }
        std::fs::rename(part, target)?;
        self.moves = None;
        Ok(())
    }
}

/// The target of a path: links are followed, even to missing files, and the folder is spelled in one
/// way.
pub fn followed(path: &Path) -> PathBuf {
    /// Longer chains of links are refused by operating systems, too.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = std::fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    if let Ok(there) = std::fs::canonicalize(&path) {
        return there;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = std::fs::canonicalize(folder.unwrap_or(Path::new(".")));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for NewFile {
    /// What was not finished would only be in the way.
    fn drop(&mut self) {
        if let Some((part, _)) = &self.moves {
            let _ = std::fs::remove_file(part);
        }
    }
}
