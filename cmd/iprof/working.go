package main

import "time"

// A first start compiles the program's packages, some of them twice. That may take minutes, and go prints nothing.

// sayAfter is the time after which a start says what it does, and how long that has taken.
var sayAfter = 10 * time.Second

// sayWorking says what goes on if it takes long: at sayAfter, and then each time at twice the time before. The caller
// calls the returned function when it is done.
func (a *arguments) sayWorking(what string) (done func()) {
	if a.report == "none" {
		return func() {}
	}
	ended, all := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(all)
		for begin, next := time.Now(), sayAfter; ; next *= 2 {
			select {
			case <-ended:
				return
			case <-time.After(time.Until(begin.Add(next))):
				stderr.Printf("iprof: %s: %v so far\n", what, next)
			}
		}
	}()
	return func() {
		close(ended)
		<-all
	}
}
