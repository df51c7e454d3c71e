// Package gather has the types of what was measured, and what a program needs that keeps its frames itself. Package
// [example.com/iprof] has all else that programs write: zones, counts, marks, sections and limits. Its default session
// ends frames and keeps them, so most programs need gather only for the types of a sink.
//
// The code is in [example.com/iprof/internal/measure], where each type here is declared with its fields and methods.
package gather
