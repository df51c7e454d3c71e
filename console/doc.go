// Package console shows and controls the profiler without a window: by commands for a game's console or a debug socket,
// as a live page in a terminal, and as lines in a log.
//
//	func serve(conn net.Conn) {
//		defer conn.Close()
//		for lines := bufio.NewScanner(conn); lines.Scan(); {
//			if err := console.Command(process.Default(), conn, lines.Text()); err != nil {
//				log.Print(err)
//			}
//		}
//	}
//
//	go console.Terminal(ctx, process.Default(), os.Stdin, os.Stdout)
//	defer console.LogEvery(process.Default(), os.Stderr, time.Second)()
//
// Package iprof has the same three functions for the default session. The functions read a session and change its
// settings. Zones do not become slower.
//
// The commands are those of viewer.Commands, and a few that print whole reports. On the page, a colon begins a line,
// and Tab completes its command and its argument.
//
// Commands can read the name and time of every zone, pause the report, and create files (dump-html, which never
// overwrites a file). Do not offer commands on a socket that strangers can reach.
package console
