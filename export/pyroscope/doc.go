// Package pyroscope sends profiles to a Pyroscope server.
//
//	pusher, err := pyroscope.Start(pyroscope.Options{URL: "http://localhost:4040", Name: "game"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer pusher.Stop()
//
// Every 15 seconds the pusher sends a pprof profile of the time since the last one: calls and wall time of each stack
// of zones. In Pyroscope, its type is iprof:wall or iprof:calls. export.Pprof describes its contents.
//
// The program never waits for the server. One goroutine makes the profiles, another one sends them, one at a time. At
// most four profiles wait; after that the oldest is dropped. When the server is busy or cannot be reached, a profile is
// sent again, three times at most, with growing pauses. Dropped profiles are counted: see [Stats].
//
// A program that already serves HTTP does not need this package. Package debug serves the same profiles to Grafana
// Alloy (pyroscope.scrape) and to Parca, which fetch them.
package pyroscope
