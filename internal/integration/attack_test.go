//go:build !iprof_off

package integration_test

import (
	"bytes"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/draw"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/extremes"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The attack was written from SECURITY.md alone. It is short here; IPROF_SOAK makes it long.

// attackCaptures is how many captures are read: 20, or 1,500 with IPROF_SOAK.
func attackCaptures() uint64 {
	if os.Getenv("IPROF_SOAK") != "" {
		return 1500
	}
	return 20
}

// TestAttackWithCaptures shows captures of extreme numbers in the window's panel, under random commands, and exports a
// random choice of their frames. Nothing panics, and the panel has no place that is not a number.
func TestAttackWithCaptures(t *testing.T) {
	for seed := range attackCaptures() {
		file, random := extremes.Capture(seed+1e6), rand.New(rand.NewPCG(seed, 7))
		s := process.NewSession()
		s.SetHistoryLimits(process.HistoryLimits{Frames: 1000, Bytes: 32 << 20})
		if _, err := framefile.Load(s, bytes.NewReader(file)); err != nil {
			continue
		}
		p := viewer.PanelFor(s)
		p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
		commands := p.Commands()
		for range 12 {
			if c := commands[random.IntN(len(commands))]; c.Group != viewer.GroupMeasure {
				p.Run(c.Name)
			}
			var l draw.List
			p.Draw(&l, 900, 700, 1)
			for _, v := range l.V {
				if v.X != v.X || v.Y != v.Y {
					t.Fatalf("capture %d: a vertex at %v, %v", seed, v.X, v.Y)
				}
			}
		}
		s.ForgetProgram()
		pick := exporter.Selection{Lens: report.Lens{Kind: report.LensRange, From: random.Uint64() >> random.IntN(64),
			To: random.Uint64()}}
		format := exporter.Formats[random.IntN(len(exporter.Formats))]
		var out bytes.Buffer
		_ = format.Write(&out, bytes.NewReader(file), &pick)
	}
	t.Logf("%d captures", attackCaptures())
}

// TestAttackWithRequests sends requests that are right, wrong or broken in a random way. Without the token none is
// answered with what the program does, and afterwards its owner is.
func TestAttackWithRequests(t *testing.T) {
	const token = "a token of the owner's"
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := process.NewSession()
	go (&debug.Server{Session: s, Token: token}).Serve(l)
	defer l.Close()
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	for n := range 120 {
		request := pick("GET", "POST", "HEAD", "PUT", "get", "G\x00T", strings.Repeat("A", 9000)) + " " +
			pick("/debug/iprof/", "/debug/iprof/../iprof/report", "/debug/iprof/json?token="+token,
				"//debug/iprof/live", "/", "*", "http://evil.example/debug/iprof/", "/debug/iprof/%00",
				"/debug//iprof/capture?seconds=-1") +
			pick(" HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/9.9\r\n", "\r\n", "") +
			pick("Host: localhost\r\n", "Host: evil.example\r\n", "Host: a\r\nHost: b\r\n", "") +
			pick("", "Authorization: Bearer \r\n", "Authorization: Basic \xff\xff\r\n", "Cookie: token="+token+"\r\n",
				"Authorization: Bearer "+token[1:]+"\r\n", "Authorization: Bearer "+token+"x\r\n") +
			pick("", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Content-Length: -1\r\n") +
			pick("\r\n", "\r\nreset", "\r\n\r\nGET / HTTP/1.1\r\n", "")
		c := must.Get(net.Dial("tcp", l.Addr().String()))(t)
		_, _ = c.Write([]byte(request))
		_ = c.(*net.TCPConn).CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		var answer bytes.Buffer
		_, _ = answer.ReadFrom(c)
		c.Close()
		if status, _, _ := strings.Cut(answer.String(), "\r\n"); strings.Contains(status, " 200 ") {
			t.Errorf("request %d, %.200q: got %q", n, request, status)
		}
	}
	r, _ := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+"/debug/iprof/report", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the owner: got %v, %v; want 200", answer, err)
	}
	const command = "http://evil.example/debug/iprof/command"
	rebound := httptest.NewRequest(http.MethodPost, command, strings.NewReader("reset"))
	w := httptest.NewRecorder()
	(&debug.Server{Session: s, AllowCommands: true}).Handler().ServeHTTP(w, rebound)
	if w.Code != http.StatusMisdirectedRequest {
		t.Errorf("a command under a rebound name: got %d; want 421", w.Code)
	}
}
