//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.com/iprof"
)

// A server shows its profile as a page. Give the address to those only who may see the names of zones.
func Example_handler() {
	fresh(shop)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/iprof", func(w http.ResponseWriter, _ *http.Request) { iprof.WriteHTML(w) })

	page := httptest.NewRecorder()
	mux.ServeHTTP(page, httptest.NewRequest("GET", "/debug/iprof", nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"), strings.Contains(page.Body.String(), "wrap"))
	// Output: 200 text/html; charset=utf-8 true
}
