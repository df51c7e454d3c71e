package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
)

// TestAPrintedAddressOpens: of static pages on any address of this machine, without a proxy. The address has a token,
// and the page names the command for it. Nothing is printed if nothing can be served.
func TestAPrintedAddressOpens(t *testing.T) {
	file := recorded(t)
	for _, address := range []string{":0", "127.0.0.1:0", "0.0.0.0:0"} {
		ctx, stop := context.WithCancel(t.Context())
		r, w := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- serveTo(ctx, w, address, file, false) }()
		line := must.Get(bufio.NewReader(r).ReadString('\n'))(t)
		u, err := url.Parse(strings.TrimSpace(line))
		if err != nil || u.Hostname() != "127.0.0.1" && (u.Hostname() != "localhost" || address != "0.0.0.0:0") {
			t.Errorf("%s: printed %q, %v", address, line, err)
		}
		page := fetched(t, u.String(), http.StatusOK)
		prefix := path.Dir(path.Dir(path.Clean(u.Path)))
		if want := "iprof view http://" + u.Host + prefix + "<"; !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", address, want)
		}
		if p, err := remote.New("http://"+u.Host+prefix, ""); err != nil || p.URL("") != u.String() {
			t.Errorf("%s: iprof view asks %s, %v; want %s", address, p.URL(""), err, u)
		}
		fetched(t, "http://"+u.Host+"/debug/iprof/", http.StatusNotFound)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	var out strings.Builder
	if err := serveTo(t.Context(), &out, "127.0.0.1:1", file+"x", false); err == nil || out.Len() > 0 {
		t.Errorf("without a file: got %v, printed %q", err, &out)
	}
	for _, bad := range []string{"7180", "::1:7180", "localhost", ":99999"} {
		if got := serve([]string{"-addr", bad, file}); got != 2 {
			t.Errorf("-addr %s: status %d; want 2", bad, got)
		}
	}
}

func fetched(t *testing.T, address string, status int) string {
	t.Helper()
	answer := must.Get(http.Get(address))(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Errorf("%s: status %d, %v; want %d", address, answer.StatusCode, err, status)
	}
	return string(text)
}
