package pyroscope_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"example.com/iprof/export/pyroscope"
)

// A server gets the profile of the last stretch when the program stops.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path, r.Header.Get("Content-Type"))
	}))
	defer server.Close()

	pusher, err := pyroscope.Start(pyroscope.Options{URL: server.URL, Name: "game"})
	if err != nil {
		fmt.Println(err)
		return
	}
	pusher.Stop()
	fmt.Println(pusher.Stats().Sent, "sent")
	// Output:
	// POST /push.v1.PusherService/Push application/proto
	// 1 sent
}
