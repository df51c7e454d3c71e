package serve_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/serve"
)

// TestAnAddressThatIsShownOpens: also that of a listener for all addresses.
func TestAnAddressThatIsShownOpens(t *testing.T) {
	for _, address := range []string{":0", "127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0", "[::]:0"} {
		l, err := serve.Listen(address)
		if err != nil && strings.Contains(address, "::") {
			continue // without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- serve.Serve(ctx, l, serve.Guard{}.Handler(http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })), time.Minute)
		}()
		shown := serve.URL(l, "/a page/")
		answer, err := http.Get(shown)
		if err != nil {
			t.Fatalf("%s: shown as %s: %v", address, shown, err)
		}
		if text, _ := io.ReadAll(answer.Body); string(text) != "/a page/" || strings.Contains(shown, "[::]") ||
			strings.Contains(shown, "0.0.0.0") {
			t.Errorf("%s: shown as %s, which answers %q", address, shown, text)
		}
		answer.Body.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
