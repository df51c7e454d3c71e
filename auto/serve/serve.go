// Package serve lets others watch programs that are built by the command iprof.
//
// The command imports it in the program's main package for "iprof run -listen ADDR" and "iprof run -view".
// Settings.Listen has the address. Package net/http is in no other program that the command builds.
package serve

import (
	"log"

	"example.com/iprof/auto"
	"example.com/iprof/debug"
)

func init() { auto.OnStart(start) }

// start serves until the program ends. Without an address it does nothing.
func start(s auto.Settings) (end func()) {
	if s.Listen != "" {
		server := &debug.Server{Token: s.Token}
		go func() {
			if err := server.ListenAndServe(s.Listen); err != nil {
				log.Print("iprof: ", err)
			}
		}()
	}
	return func() {}
}
