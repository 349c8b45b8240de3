// Package document holds JSON and JSON5 documents the way OpenClaw sees them:
// objects keep JavaScript's order of keys, numbers keep their text, members that
// nobody here knows survive, and every value has a position in its file.
//
// [Parse] reads what a person may have written (JSON5, with comments), [ParseJSON]
// what OpenClaw writes. [Encode] and [EncodeCompact] write as JSON.stringify does;
// [Patch] changes a JSON5 text in place. A [Secret] is a string that no way of
// printing shows. [Trim] and [Lower] are JavaScript's, which differ from Go's.
package document
