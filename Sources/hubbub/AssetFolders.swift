import FoundationEssentials

/// Finds the folder that holds `Public` and `Templates`.
enum AssetFolders {
  /// The given folder, else the nearest one at or above `program` or the working directory that contains both.
  static func find(given: String?, program: String, working: String) throws(Settings.Problem) -> String {
    if let given {
      guard holds(given) else {
        throw Settings.Problem(
          description: "\(given) does not hold Public and Templates; point --assets at the folder that does.")
      }
      return given
    }
    for start in [program, working] {
      var folder = URL(filePath: start).standardized
      while true {
        if holds(folder.path()) { return folder.path() }
        let above = folder.deletingLastPathComponent().standardized
        if above.path() == folder.path() || folder.path() == "/" { break }
        folder = above
      }
    }
    throw Settings.Problem(
      description:
        "Public and Templates are neither beside the program nor above it; point --assets at the folder that holds them."
    )
  }

  private static func holds(_ folder: String) -> Bool {
    let root = URL(filePath: folder, directoryHint: .isDirectory)
    return ["Public", "Templates"].allSatisfy { name in
      var isFolder = false
      let path = root.appending(path: name).path()
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
  }
}
