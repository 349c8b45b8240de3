// Package failure tells what a provider's error means to OpenClaw: the
// failover reason that each release line gives it, the rule that decided, and
// what follows for the credential, the provider and the chain of models.
//
// The package is pure. It reads no file, no clock, no environment and no
// network, and importing it costs nothing: a line's rules are compiled on the
// first [Classify] under that line.
//
// Every difference between release lines is data: a field of [Rules], set in
// the table of lines.go, or a row of the pattern files under patterns/, each of
// which names the lines it holds on. Vectors recorded from the real program
// decide what is right; TestConformance compares them field by field.
//
// Texts are matched in time linear in their length, whatever they say: one
// pass finds the literals that the patterns of the line need, and only patterns
// whose literals are all there run as regular expressions (RE2, so without
// backtracking).
package failure
