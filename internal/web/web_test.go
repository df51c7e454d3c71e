package web

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// echo is a program elsewhere that answers a command with itself, and streams a few bytes.
type echo struct{}

func (echo) Live(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("frames")), nil
}

func (echo) Command(_ context.Context, line string) (string, error) { return line, nil }

// asked is a request and what is answered. TOKEN stands for the server's token, and HERE for its origin.
type asked struct {
	what, method, path string
	header             [2]string
	status             int
	want               string
}

var allAsked = []asked{
	{"the page", "GET", "/TOKEN/", [2]string{}, 200, "<canvas"},
	{"the program", "GET", "/TOKEN/viewer.wasm", [2]string{"Accept-Encoding", "gzip"}, 200, "program"},
	{"what a build says", "GET", "/TOKEN/building", [2]string{}, 200, ""},
	{"the file", "GET", "/TOKEN/file/0", [2]string{}, 200, "contents"},
	{"the stream", "GET", "/TOKEN/live/1", [2]string{}, 200, "frames"},
	{"a command", "POST", "/TOKEN/command/1", [2]string{}, 200, "line"},
	{"its own origin", "POST", "/TOKEN/command/1", [2]string{"Origin", "HERE"}, 200, "line"},
	{"no token", "GET", "/", [2]string{}, 404, "token"},
	{"no token, a file", "GET", "/file/0", [2]string{}, 404, "token"},
	{"another token", "GET", "/ABCDEFGHIJKLMNOPQRSTUVWXYZ/", [2]string{}, 404, "token"},
	{"a part of the token", "GET", "/PART/file/0", [2]string{}, 404, "token"},
	{"another name", "GET", "/TOKEN/file/0", [2]string{"Host", "evil.example:80"}, 421, "name"},
	{"another origin", "POST", "/TOKEN/command/1", [2]string{"Origin", "http://evil.example"}, 403, "other sites"},
	{"no origin", "POST", "/TOKEN/command/1", [2]string{"Origin", "null"}, 403, "other sites"},
	{"another site", "GET", "/TOKEN/file/0", [2]string{"Sec-Fetch-Site", "cross-site"}, 403, "other sites"},
	{"a sibling", "GET", "/TOKEN/", [2]string{"Sec-Fetch-Site", "same-site"}, 403, "other sites"},
	{"no such file", "GET", "/TOKEN/file/2", [2]string{}, 404, "nothing at this address"},
	{"a program as a file", "GET", "/TOKEN/file/1", [2]string{}, 404, "nothing at this address"},
	{"a file as a program", "GET", "/TOKEN/live/0", [2]string{}, 404, "nothing at this address"},
	{"a path", "GET", "/TOKEN/file/..%2f..%2fetc%2fpasswd", [2]string{}, 404, "nothing at this address"},
	{"sources", "POST", "/TOKEN/code", [2]string{}, 400, "not a place"},
}

// Requests without the token, from other sites, or for other host names are refused. Only listed files are served.
func TestOnlyThePageItselfIsAnswered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.iprof")
	must.Do(t, os.WriteFile(path, []byte("contents"), 0o600))
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	s := New([]Item{{Name: "a.iprof", File: file}, {Name: "p", Address: "localhost:1", Program: echo{}}},
		func(context.Context) (*Viewer, error) { return &Viewer{[]byte("program"), []byte("script")}, nil })
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, test := range allAsked {
		t.Run(test.what, func(t *testing.T) { test.check(t, s.token, server.URL) })
	}
}

// check sends the request.
func (test asked) check(t *testing.T, token, here string) {
	path := strings.NewReplacer("TOKEN", token, "PART", token[:len(token)-1]).Replace(test.path)
	r, err := http.NewRequest(test.method, here+path, strings.NewReader(map[string]string{"POST": "line"}[test.method]))
	if err != nil {
		t.Fatal(err)
	}
	if test.header[0] == "Host" {
		r.Host = test.header[1]
	} else if test.header[0] != "" {
		r.Header.Set(test.header[0], strings.Replace(test.header[1], "HERE", here, 1))
	}
	answer := must.Get(http.DefaultClient.Do(r))(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != test.status || !strings.Contains(string(text), test.want) {
		t.Errorf("got %d, %.200q, %v; want %d, %q", answer.StatusCode, text, err, test.status, test.want)
	}
	h := answer.Header
	if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Content-Security-Policy") != policy {
		t.Errorf("got headers %v; want the policy, and no permission for other sites", h)
	}
}

// The page gets the error of the build, at each try.
func TestWhyThereIsNoViewer(t *testing.T) {
	s := New(nil, func(context.Context) (*Viewer, error) { return nil, os.ErrPermission })
	for range 2 {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost/"+s.token+"/viewer.wasm", nil)
		if s.Handler().ServeHTTP(w, r); w.Code != 503 || !strings.Contains(w.Body.String(), "permission") {
			t.Errorf("got %d, %q; want why", w.Code, w.Body)
		}
	}
}
