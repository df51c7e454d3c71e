//go:build !iprof_off

package debug_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
)

// A program without a server shows its profile on http://127.0.0.1:6061/debug/iprof/ with one line:
//
//	go debug.ListenAndServe("")
//
// One with a server adds it to that.
func ExampleRegister() {
	mux := http.NewServeMux()
	debug.Register(mux)

	page := httptest.NewRecorder()
	mux.ServeHTTP(page, httptest.NewRequest("HEAD", "/debug/iprof/report", nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	// Output: 200 text/plain; charset=utf-8
}

// A build server that only this machine reaches, and whose viewers may change what is measured.
func ExampleServer() {
	server := &debug.Server{AllowCommands: true}
	answer := httptest.NewRecorder()
	command := httptest.NewRequest("POST", "http://localhost/debug/iprof/command", strings.NewReader("limit 2%"))
	server.Handler().ServeHTTP(answer, command)
	word, _, _ := strings.Cut(answer.Body.String(), ";")
	fmt.Println(answer.Code, word)
	gather.SetOverheadLimit(0)
	// Output: 200 limit 2 %
}
