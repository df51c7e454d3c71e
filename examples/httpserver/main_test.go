package main

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"example.com/iprof"
	"example.com/iprof/internal/prometheustest"
)

func TestRequestsAreInTheTree(t *testing.T) {
	if !iprof.Enabled {
		t.Skip("the profiler is compiled out")
	}
	server := httptest.NewServer(handler())
	defer server.Close()
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { get(t, server.URL+"/search?q=a") })
	}
	all.Wait()
	iprof.Update()
	get(t, server.URL+"/debug/iprof/metrics") // it counts from here on
	get(t, server.URL+"/search?q=b")
	iprof.Update()
	metrics := get(t, server.URL+"/debug/iprof/metrics")
	if !strings.Contains(metrics, `iprof_zone_calls_total{zone="GET /search",`) {
		t.Errorf("the route is not in\n%s", metrics)
	}
	tree := get(t, server.URL+"/debug/iprof/tree")
	for _, want := range []string{"GET /search", "database", ".render"} {
		if !strings.Contains(tree, want) {
			t.Errorf("there is no %s in\n%s", want, tree)
		}
	}
}

// A real one scrapes the server while requests come, and knows how long frames are and how many requests there were.
func TestPrometheusWatchesIt(t *testing.T) {
	if !iprof.Enabled {
		t.Skip("the profiler is compiled out")
	}
	server := httptest.NewServer(handler())
	defer server.Close()
	prometheus := prometheustest.Start(t, server.Listener.Addr().String())
	request := func() {
		get(t, server.URL+"/search?q=a")
		iprof.Update()
	}
	const quantile = "histogram_quantile(0.5, sum by (le) (rate(iprof_frame_seconds_bucket[1h])))"
	if got := prometheus.Wait(quantile+" > 0", request); got < 0.005/math.Sqrt2 {
		t.Errorf("got frames of %v s; want at least the 5 ms that the database takes, to the width of a bucket", got)
	}
	prometheus.Wait(`iprof_zone_calls_total{zone="GET /search"} > 10`, request)
}

func get(t *testing.T, url string) string {
	answer, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %d, %v", url, answer.StatusCode, err)
	}
	return string(text)
}
