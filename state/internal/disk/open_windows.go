package disk

// nonBlocking is nothing: Windows has no such files in directories.
const nonBlocking = 0
