# Asks a capture the questions of the tutorial's page on captures, a command each.
cat >main.go <<'GO'
package main

import (
	"log"
	"sync"
	"time"

	"example.com/iprof"
)

var scores iprof.Mutex

func solve(long bool) {
	defer iprof.Begin("solve").End()
	iprof.Alloc(4096)
	if long {
		time.Sleep(25 * time.Millisecond)
	}
}

func orders() {
	defer iprof.Begin("GET /orders").End()
	scores.Lock()
	defer scores.Unlock()
	time.Sleep(time.Millisecond)
}

func main() {
	scores.Name = "scores"
	recorder, err := iprof.Record("game.iprof")
	if err != nil {
		log.Fatal(err)
	}
	defer recorder.Close()
	iprof.SetEvents(1 << 16)
	iprof.Section("level 1")
	for i := range 150 {
		var group sync.WaitGroup
		for range 2 {
			group.Add(1)
			go func() {
				defer group.Done()
				orders()
			}()
		}
		iprof.Value("rays", float64(i))
		solve(i%50 == 40)
		group.Wait()
		iprof.Update()
	}
}
GO
go mod init game
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
go run .
. "$DOCS/docs/tutorial/4-captures.md/commands-3" >seen
cat seen
has seen 'z[0-9]*  solve'                                # made frames late
has seen '^ *2[5-9].* f140$'                             # frames with solve of 5 ms and more
has seen 'p99 ms.*route'                                 # of a route
has seen 'GET /orders'
has seen '  c140\.[0-9]*\.[0-9]*  solve  '               # a slow call, and the calls of frame 140
has seen 'lock scores'
has seen 'main\.main main\.go:[0-9]*'                    # a go statement
has seen 'alloc bytes.*package'
has seen 'f149  rays'                                    # the frame with the greatest value
id=$(sed -n 's/.*  \(c[0-9.]*\)  solve .*/\1/p' seen | head -1)
iprof calls game.iprof -id "$id" >one
has one "  $id  solve"
