// Package debug shows a program's profile over HTTP: as a page, as text, as JSON, and as a capture of the next seconds.
//
//	go debug.ListenAndServe("") // a program without a server: http://127.0.0.1:6061/debug/iprof/
//
//	debug.Register(mux)         // a program with one
//
// It only reads, unless the program allows more. Nothing listens, registers or starts when the package is imported.
//
//	/debug/iprof/                    the page of html.Write, live: it rests while the mouse is over it
//	/debug/iprof/?frame=120          the same of one frame; zone= adds callers and callees, by= orders the tables
//	/debug/iprof/?frames=worst:10    the mean of some frames: see report.ParseFrames; lane= of one goroutine; zone=
//	                                 with words such as pkg:physics >5ms filters; by= zone, path or package groups
//	/debug/iprof/?goroutines=1       the page with a survey of the goroutines: the program stands still meanwhile;
//	                                 =leaks with Go's own search for leaks, where GOEXPERIMENT has it
//	/debug/iprof/?allocations=1      begins a trace of allocations, if the program calls exectrace.Offer; the page has
//	                                 its cost, and the number for the next one
//	/debug/iprof/report              the report that the program shows, as text; the same choices choose another
//	/debug/iprof/tree                trees of all lanes since start or Reset, as text
//	/debug/iprof/json                the same as one JSON object; with ?goroutines=1 the survey; allocations=1
//	/debug/iprof/capture?seconds=5   every frame of the next 1 to 60 seconds, for iprof view and others
//	/debug/iprof/profile?seconds=5   those seconds for go tool pprof; all since start or Reset without seconds
//	/debug/iprof/metrics             frame times and zones for Prometheus, counted since the first request for them
//	/debug/iprof/live                every frame from now on, for iprof view and iprof live
//	/debug/iprof/command             POST: a line that changes what is measured
//
// With set=NAME the report, trees, JSON, capture and live stream are of that set of frames: see process.Frames.
//
// # The live stream
//
// The stream is a capture that does not end. Up to eight viewers can read it. A viewer that reads too slowly misses
// frames, which are counted, and stays less than two seconds behind. A viewer that reads nothing for half a minute is
// disconnected. The program's frames never wait for a viewer.
//
// # Commands
//
// With a Token, or with [Server.AllowCommands], a POST to command runs a line of package console: events, memory,
// calls, sample, trace, allocations, limit, mute, recording, reset or undo. The answer is the console's output. Other
// commands are refused.
//
// # Who may read
//
// The names of zones, functions and files are in the answers. With [Handler] and [Register] the program's server
// decides who may read them, as with net/http/pprof; [Server.Token] adds a check. [ListenAndServe] and Serve answer
// only on this machine's own addresses, unless there is a token. They refuse unknown host names, so that no web page
// can reach them under a name of its own. Other users of this machine can read without a token. A token is sent
// unencrypted: use it behind TLS, or in a tunnel.
package debug
