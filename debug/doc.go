// Package debug shows a program's profile over HTTP: as a page, as text, as JSON, and as a capture of the next seconds.
//
//	go debug.ListenAndServe("") // a program without a server: http://127.0.0.1:6061/debug/iprof/
//
//	debug.Register(mux)         // a program with one
//
// It only reads, unless the program allows more. Nothing listens, registers or starts when the package is imported.
//
//	/debug/iprof/                    the page of html.Write, live: it rests while the mouse is over it
//	/debug/iprof/now                 what that page asks for, four times a second
//	/debug/iprof/report              the current report, as text
//	/debug/iprof/tree                trees of all lanes since start or Reset, as text
//	/debug/iprof/json                the same as one JSON object
//	/debug/iprof/capture?seconds=5   every frame of the next 1 to 60 seconds, for iprof view and others
//	/debug/iprof/profile?seconds=5   those seconds for go tool pprof; all since start or Reset without seconds
//	/debug/iprof/metrics             frame times and zones for Prometheus, counted since the first request for them
//	/debug/iprof/live                every frame from now on, for iprof view and iprof live
//	/debug/iprof/command             POST: a line that changes what is measured
//
// # The live stream
//
// The stream is a capture that does not end. Up to eight viewers get it. One that reads too slowly misses frames, which
// are counted, so that it stays less than two seconds behind; one that takes nothing for half a minute is sent away.
// The program's frames never wait for a viewer.
//
// # Commands
//
// With a Token, or with [Server.AllowCommands], a POST to command runs a line of package console: events, memory,
// calls, sample, trace, limit, mute, recording, reset or undo. The answer is what the console prints. Others are
// refused.
//
// # Who may read
//
// The names of zones, functions and files are in the answers. [Handler] and [Register] leave it to the program's server
// to decide who gets them, as net/http/pprof does; [Server.Token] adds a check. [ListenAndServe] and Serve answer only
// on this machine's own addresses, unless there is a token. They refuse names of hosts that they do not know, so that
// no web page can reach them under a name of its own. On this machine other users can read without a token. A token
// goes over the network as it is: use it behind TLS, or a tunnel.
package debug
