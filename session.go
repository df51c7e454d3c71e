package iprof

import "example.com/iprof/process"

// Session is the history of a program's frames and the view that reports show of it. Default returns the program's own.
// process.NewSession returns one for frames from elsewhere; the zero value is not ready. Any goroutine may call its
// methods.
type Session = process.Session

// Default returns the program's own session. The functions of this package that pause, show or write act on it. It also
// has the less common settings and data, and it is the session that draw/gl, input and console need:
//
//	view     SetCursor SetLane SetLens SetColumns SetOrder SetFilter SetGrouping PinPath PinBaseline ShowFrame
//	history  SetHistory SetHistoryLimits FrameBudget SetEventDriven TogglePause SetMemoryMode
//	data     AppendReport AppendTree AppendFrames AppendSlowest AppendTimeline FrameOf VerdictOf Dump
//
// Package process has the types that these take and return:
//
//	iprof.Default().SetLens(process.Lens{Kind: process.LensOver})
func Default() *Session { return process.Default() }
