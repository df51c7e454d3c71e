// Package handlertest holds the pusher's requests against the code that Pyroscope generates for its servers. It is a
// module of its own because that code needs many others.
package handlertest

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"

	"example.com/iprof"
	"example.com/iprof/export/pyroscope"
	"example.com/iprof/internal/must"
)

// pushed is a server that keeps the requests.
type pushed struct{ got []*pushv1.PushRequest }

type response = connect.Response[pushv1.PushResponse]

func (p *pushed) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*response, error) {
	p.got = append(p.got, r.Msg)
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

func TestTheServersOwnCodeReadsIt(t *testing.T) {
	var p pushed
	mux := http.NewServeMux()
	mux.Handle(pushv1connect.NewPusherServiceHandler(&p))
	server := httptest.NewServer(mux)
	defer server.Close()
	pusher := must.Get(pyroscope.Start(pyroscope.Options{URL: server.URL, Name: "game",
		Labels: map[string]string{"region": "north"}}))(t)
	iprof.Update()
	for range 3 {
		iprof.Begin("<physics>").End()
	}
	iprof.Update()
	pusher.Stop()
	if s := pusher.Stats(); s.Sent != 1 || s.Err != nil {
		t.Fatalf("got %+v; want one profile sent", s)
	}
	labels := map[string]string{}
	series := p.got[0].Series[0]
	for _, l := range series.Labels {
		labels[l.Name] = l.Value
	}
	if labels["service_name"] != "game" || labels["region"] != "north" || labels["__name__"] != "iprof" {
		t.Errorf("got labels %q", labels)
	}
	got := must.Get(profile.Parse(bytes.NewReader(series.Samples[0].RawProfile)))(t)
	calls := int64(0)
	for _, s := range got.Sample {
		if s.Location[0].Line[0].Function.Name == "‹physics›" {
			calls += s.Value[0]
		}
	}
	if calls != 3 || got.SampleType[1].Type != "wall" {
		t.Errorf("got %d calls of <physics> and types %v; want 3", calls, got.SampleType)
	}
}
