//go:build !iprof_off

package debug_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"example.com/iprof/debug"
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
