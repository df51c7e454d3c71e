// Command httpserver profiles an HTTP server. Each request runs on a goroutine of its own, with its own lane; lanes of
// one go statement are shown as one. A frame is a second.
//
//	go run ./examples/httpserver
//	curl localhost:8080/search?q=iprof              # some requests
//	curl localhost:8080/debug/iprof/tree            # where their time went
//	curl localhost:8080/debug/iprof/metrics         # for Prometheus
//	go tool pprof -top -seconds 5 http://localhost:8080/debug/iprof/profile
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"example.com/iprof"
	"example.com/iprof/debug"
	"example.com/iprof/iprofhttp"
)

func main() {
	address := flag.String("addr", "127.0.0.1:8080", "listen here")
	flag.Parse()
	iprof.Default().SetEventDriven(true) // a second without work is not a slow frame
	go func() {
		for range time.Tick(time.Second) {
			iprof.Update() // one line a frame
		}
	}()
	log.Fatal(http.ListenAndServe(*address, handler()))
}

// handler returns the server's handler. Whoever reaches a real server should not reach /debug/: see package debug.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", search)
	debug.Register(mux)
	return iprofhttp.Measure(mux) // a zone for each route, with the durations of its requests
}

func search(w http.ResponseWriter, r *http.Request) {
	words := query(r.FormValue("q"))
	render(w, words)
}

// database is a zone of waiting: its time is not work.
var database = iprof.Zone{Name: "database", Idle: true}

func query(q string) []string {
	defer database.Begin().End()
	time.Sleep(5 * time.Millisecond)
	return strings.Fields(strings.Repeat(q+" ", 1000))
}

func render(w http.ResponseWriter, words []string) {
	defer iprof.Func().End()
	for i, word := range words {
		fmt.Fprintf(w, "%d: %q\n", i, word)
	}
}
