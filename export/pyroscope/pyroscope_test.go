package pyroscope_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/export/pyroscope"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// server answers requests without a network, so that time is that of a test's bubble.
type server struct {
	mu      sync.Mutex
	answers []answer // of the next requests; then 200
	got     []received
}

type answer struct {
	status int
	after  string
	err    error
	hangs  bool // until the client gives up
}

type received struct {
	at     time.Time
	header http.Header
	url    string
	body   []byte
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.got = append(s.got, received{time.Now(), r.Header, r.URL.String(), body})
	a := answer{status: 200}
	if len(s.answers) > 0 {
		a, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if a.hangs {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: a.status, Header: http.Header{"Retry-After": {a.after}},
		Body: io.NopCloser(strings.NewReader("the answer"))}, a.err
}

// start begins to push the profile of a session of its own to s.
func start(t *testing.T, s *server, o pyroscope.Options) (*pyroscope.Pusher, *process.Session) {
	t.Helper()
	o.URL, o.Session, o.Client = "http://profiles.test:4040", process.NewSession(), &http.Client{Transport: s}
	if o.Name == "" {
		o.Name = "game"
	}
	p := must.Get(pyroscope.Start(o))(t)
	return p, o.Session
}

// frame gives the session a frame with some calls of a zone.
func frame(t *testing.T, s *process.Session, at, calls int) {
	t.Helper()
	must.Do(t, s.WriteFrame(&gather.Frame{
		Index: uint64(at), Begin: platform.Ticks(16 * at), End: platform.Ticks(16*at + 16), TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}},
		Lanes: []gather.LaneFrame{{Name: "main", Nodes: []gather.Node{
			{ID: 0, Parent: -1}, {ID: 1, Zone: 1, Count: uint32(calls), Self: 10}}}},
	}))
}

// fields splits a message whose fields are all bytes.
func fields(t *testing.T, m []byte) map[uint64][][]byte {
	t.Helper()
	all := map[uint64][][]byte{}
	for len(m) > 0 {
		tag, n := binary.Uvarint(m)
		size, k := binary.Uvarint(m[max(n, 0):])
		if n <= 0 || k <= 0 || tag&7 != 2 || size > uint64(len(m)-n-k) {
			t.Fatalf("no message of bytes: %x", m)
		}
		m = m[n+k:]
		all[tag>>3], m = append(all[tag>>3], m[:size]), m[size:]
	}
	return all
}

// calls returns the calls of physics in a pushed profile, and its labels.
func calls(t *testing.T, body []byte) (n int64, labels map[string]string) {
	t.Helper()
	series := fields(t, fields(t, body)[1][0])
	labels = map[string]string{}
	for _, pair := range series[1] {
		f := fields(t, pair)
		labels[string(f[1][0])] = string(f[2][0])
	}
	return physics(t, fields(t, series[2][0])[1][0]), labels
}

func physics(t *testing.T, data []byte) (n int64) {
	t.Helper()
	p := must.Get(profile.Parse(bytes.NewReader(data)))(t)
	for _, s := range p.Sample {
		if s.Location[0].Line[0].Function.Name == "physics" {
			n += s.Value[0]
		}
	}
	return n
}

func TestEachProfileHasWhatCameSinceTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s server
		p, session := start(t, &s, pyroscope.Options{Labels: map[string]string{"region": "north \xff"}, Tenant: "t1",
			User: "u", Password: "pw"})
		for i, n := range []int{3, 0, 5} {
			if n > 0 {
				frame(t, session, i, n)
			}
			time.Sleep(15 * time.Second)
			synctest.Wait()
		}
		frame(t, session, 3, 7)
		p.Stop()
		p.Stop()
		if stats := p.Stats(); stats != (pyroscope.Stats{Sent: 4}) {
			t.Errorf("got %+v; want 4 sent", stats)
		}
		for i, want := range []int64{3, 0, 5, 7} {
			got, labels := calls(t, s.got[i].body)
			if got != want {
				t.Errorf("profile %d: got %d calls; want %d", i, got, want)
			}
			if labels["service_name"] != "game" || labels["__name__"] != "iprof" || labels["region"] != "north ?" {
				t.Errorf("got labels %q", labels)
			}
		}
		h := s.got[0].header
		user, password, _ := (&http.Request{Header: h}).BasicAuth()
		if h.Get("X-Scope-OrgID") != "t1" || user != "u" || password != "pw" {
			t.Errorf("got header %v", h)
		}
	})
}

func TestTheOldAddressGetsNameAndLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s server
		p, session := start(t, &s, pyroscope.Options{Ingest: true, Name: "a{b}", Token: "sesame",
			Labels: map[string]string{"v": "1,2"}})
		frame(t, session, 0, 4)
		time.Sleep(time.Second)
		p.Stop()
		got := s.got[0]
		if !strings.Contains(got.url, "/ingest?format=pprof&from=") ||
			!strings.Contains(got.url, "name=a_b_%7Bv%3D1_2%7D") {
			t.Errorf("got address %s", got.url)
		}
		if got.header.Get("Authorization") != "Bearer sesame" {
			t.Errorf("got header %v", got.header)
		}
		_, params := must.Two(mime.ParseMediaType(got.header.Get("Content-Type")))(t)
		form := must.Get(multipart.NewReader(bytes.NewReader(got.body), params["boundary"]).ReadForm(1 << 20))(t)
		file := must.Get(form.File["profile"][0].Open())(t)
		data, _ := io.ReadAll(file)
		if n := physics(t, data); n != 4 || len(form.File["sample_type_config"]) != 1 {
			t.Errorf("got %d calls and form %v; want 4", n, form.File)
		}
	})
}

func TestServersThatDoNotTakeIt(t *testing.T) {
	away := errors.New("no route to host")
	for _, test := range []struct {
		name    string
		answers []answer
		want    pyroscope.Stats // without Err
		says    string          // of Err while the answers last
	}{
		{"busy once", []answer{{status: 429}}, pyroscope.Stats{Sent: 1, Retried: 1}, "429 Too Many Requests"},
		{"broken, then well", []answer{{status: 500}, {status: 503}, {err: away}},
			pyroscope.Stats{Sent: 1, Retried: 3}, "no route"},
		{"away", []answer{{err: away}, {err: away}, {err: away}, {err: away}},
			pyroscope.Stats{Dropped: 1, Retried: 3}, "no route"},
		{"too big", []answer{{status: 413}}, pyroscope.Stats{Dropped: 1}, `413 Request Entity Too Large: "the answer"`},
		{"refused", []answer{{status: 422}}, pyroscope.Stats{Dropped: 1}, "422"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := server{answers: test.answers}
				p, _ := start(t, &s, pyroscope.Options{Interval: time.Hour})
				time.Sleep(time.Hour + 30*time.Second)
				synctest.Wait()
				got := p.Stats()
				if got.Err != nil && !strings.Contains(got.Err.Error(), test.says) {
					t.Errorf("got error %v; want %q", got.Err, test.says)
				}
				if wanted := test.want.Dropped > 0; wanted != (got.Err != nil) {
					t.Errorf("got error %v", got.Err)
				}
				if got.Err = nil; got != test.want {
					t.Errorf("got %+v; want %+v", got, test.want)
				}
				p.Stop()
			})
		})
	}
}

func TestPausesGrowAndAreTheServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := server{answers: []answer{{status: 500}, {status: 500}, {status: 429, after: "20"}}}
		p, _ := start(t, &s, pyroscope.Options{Interval: time.Hour})
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		var pauses []time.Duration
		for i := 1; i < len(s.got); i++ {
			pauses = append(pauses, s.got[i].at.Sub(s.got[i-1].at))
		}
		between := func(d, least, most time.Duration) bool { return d >= least && d < most }
		if len(pauses) != 3 || !between(pauses[0], 500*time.Millisecond, 1500*time.Millisecond) ||
			!between(pauses[1], time.Second, 3*time.Second) || pauses[2] != 20*time.Second {
			t.Errorf("got pauses %v; want about 1 s, about 2 s, and 20 s", pauses)
		}
		p.Stop()
	})
}

// While a server hangs, four profiles wait. Stop gives up after five seconds.
func TestOldProfilesAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := server{answers: []answer{{hangs: true}}}
		p, session := start(t, &s, pyroscope.Options{})
		for i := range 10 {
			frame(t, session, i, 1)
			time.Sleep(15 * time.Second)
			synctest.Wait()
		}
		if got := p.Stats(); got.Dropped != 5 {
			t.Errorf("got %d dropped; want 5 of 10: one is being sent, and four wait", got.Dropped)
		}
		s.mu.Lock()
		s.answers = make([]answer, 10)
		for i := range s.answers {
			s.answers[i].hangs = true
		}
		s.mu.Unlock()
		begin := time.Now()
		p.Stop()
		if took := time.Since(begin); took != 5*time.Second {
			t.Errorf("Stop took %v; want 5s", took)
		}
		if got := p.Stats(); got.Sent != 0 || got.Dropped != 11 {
			t.Errorf("got %+v; want 11 dropped", got)
		}
	})
}

func TestWrongOptionsAreNamed(t *testing.T) {
	good := pyroscope.Options{URL: "https://profiles.test", Name: "game"}
	for _, test := range []struct {
		name   string
		change func(*pyroscope.Options)
	}{
		{"Options.URL", func(o *pyroscope.Options) { o.URL = "localhost:4040" }},
		{"Options.URL", func(o *pyroscope.Options) { o.URL = "http://%zz" }},
		{"Options.Name", func(o *pyroscope.Options) { o.Name = "" }},
		{"Options.Interval", func(o *pyroscope.Options) { o.Interval = -1 }},
		{"Options.Labels", func(o *pyroscope.Options) { o.Labels = map[string]string{"a b": ""} }},
		{"Options.Labels", func(o *pyroscope.Options) { o.Labels = map[string]string{"__name__": ""} }},
		{"User", func(o *pyroscope.Options) { o.Token, o.User = "a", "b" }},
	} {
		o := good
		test.change(&o)
		if _, err := pyroscope.Start(o); err == nil || !strings.Contains(err.Error(), test.name) {
			t.Errorf("%+v: got error %v; want one about %s", o, err, test.name)
		}
	}
}
