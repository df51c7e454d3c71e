// Package console is the profiler without a window: words for a game's console or a debug socket, a live page in a plain
// terminal, and lines in a log.
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
// Package iprof has the same three for the default session. All of them only look at a session and turn its controls: zones
// pay nothing for them.
//
// Whoever can send commands can read every zone's name and time, pause what is shown, and create files (dump-html, which
// never overwrites one). Offer them on a socket only to those who may.
package console
