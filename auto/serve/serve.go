// Package serve lets others watch programs that are built by the command iprof.
//
// The command imports it in the program's main package for "iprof run -listen ADDR" and "iprof run -view".
// Settings.Listen has the address. Package net/http is in no other program that the command builds.
package serve

import (
	"fmt"
	"log"
	"net"
	"os"

	"example.com/iprof/auto"
	"example.com/iprof/debug"
	listener "example.com/iprof/internal/serve"
)

func init() { auto.OnStart(start) }

// start serves until the program ends. Without an address it does nothing.
func start(s auto.Settings) (end func()) {
	if s.Listen != "" {
		go func() {
			if err := serve(s); err != nil {
				log.Print("iprof: ", err)
			}
		}()
	}
	return func() {}
}

// serve serves. Of a port that the system chooses it prints the page's address.
func serve(s auto.Settings) error {
	server := &debug.Server{Token: s.Token}
	l, err := server.Listen(s.Listen)
	if err != nil {
		return err
	}
	if _, port, _ := net.SplitHostPort(s.Listen); port == "0" {
		fmt.Fprintf(os.Stderr, "iprof: %s\n", listener.URL(l, "/debug/iprof/"))
	}
	return server.Serve(l)
}
