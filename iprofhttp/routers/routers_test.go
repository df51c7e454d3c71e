package routers

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"

	"example.com/iprof/gather"
	"example.com/iprof/iprofhttp"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// numRoutes is the number of routes of each server. Route i takes about 1 + i ms, and one request of 20 five times as
// long.
const numRoutes = 8

// pattern is a route of a server, in the words of its router.
func pattern(server string, i int) string {
	parameter := map[string]string{"net/http": "{id}", "chi": "{id}"}[server]
	if parameter == "" {
		parameter = ":id"
	}
	return fmt.Sprintf("/%s/route%d/%s", strings.ReplaceAll(server, "/", ""), i, parameter)
}

// times are durations by route.
type times struct {
	sync.Mutex
	of [numRoutes][]time.Duration
}

func (t *times) add(i int, took time.Duration) {
	t.Lock()
	t.of[i] = append(t.of[i], took)
	t.Unlock()
}

// serve stands for the work of a request.
func (t *times) serve(i int) {
	begin := time.Now()
	takes := time.Duration(1+i) * time.Millisecond
	if rand.IntN(20) == 0 {
		takes *= 5
	}
	time.Sleep(takes)
	t.add(i, time.Since(begin))
}

// servers have the same routes. They note what each request took.
var servers = map[string]func(t *times) http.Handler{
	"net/http": func(t *times) http.Handler {
		mux := http.NewServeMux()
		for i := range numRoutes {
			mux.HandleFunc("GET "+pattern("net/http", i), func(http.ResponseWriter, *http.Request) { t.serve(i) })
		}
		return iprofhttp.Measure(mux)
	},
	"gin": func(t *times) http.Handler {
		gin.SetMode(gin.ReleaseMode)
		engine := gin.New()
		engine.Use(func(c *gin.Context) {
			defer iprofhttp.Begin(c.Request.Method, c.FullPath()).End()
			c.Next()
		})
		for i := range numRoutes {
			engine.GET(pattern("gin", i), func(*gin.Context) { t.serve(i) })
		}
		return engine
	},
	"chi": func(t *times) http.Handler {
		router := chi.NewRouter()
		for i := range numRoutes {
			router.Get(pattern("chi", i), func(http.ResponseWriter, *http.Request) { t.serve(i) })
		}
		return iprofhttp.MeasureBy(router, func(r *http.Request) string {
			return router.Find(chi.NewRouteContext(), r.Method, r.URL.Path)
		})
	},
	"echo": func(t *times) http.Handler {
		e := echo.New()
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				defer iprofhttp.Begin(c.Request().Method, c.Path()).End()
				return next(c)
			}
		})
		for i := range numRoutes {
			e.GET(pattern("echo", i), func(c echo.Context) error { t.serve(i); return c.NoContent(http.StatusOK) })
		}
		return e
	},
}

// load sends requests to all routes from several clients, and returns what they took for them.
func load(t *testing.T, server string, url string) *times {
	const clients, rounds = 8, 40
	taken := new(times)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for k := range rounds * numRoutes {
				i := (k + client) % numRoutes
				path := strings.NewReplacer("{id}", fmt.Sprint(k), ":id", fmt.Sprint(k)).Replace(pattern(server, i))
				begin := time.Now()
				answer, err := http.Get(url + path)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				taken.add(i, time.Since(begin))
				if answer.StatusCode != http.StatusOK {
					t.Errorf("%s: %s", path, answer.Status)
				}
			}
		})
	}
	group.Wait()
	return taken
}

// quantile returns a quantile of durations, in ms.
func quantile(list []time.Duration, q float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[int(float64(len(sorted)-1)*q)].Seconds() * 1000
}

// Each route has a row with as many calls as there were requests, and with the median and the 99th percentile that the
// handlers measured themselves. The table has a client's, too.
func TestRoutes(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 8
	for name, of := range servers {
		t.Run(name, func(t *testing.T) {
			own := new(times)
			server := httptest.NewServer(of(own))
			defer server.Close()
			client := load(t, name, server.URL)
			process.Default().Update()
			r := report.Report{Want: report.ColumnsOf(report.ColumnCallsCounted, report.ColumnCallP50,
				report.ColumnCallP99)}
			process.Default().View().AppendReportOf(&r, report.View{Lens: report.Lens{Kind: report.LensAll}})
			rows := map[string]*report.Record{}
			for i := range r.Records {
				rows[r.Records[i].Name] = &r.Records[i]
			}
			t.Logf("%-28s %8s  %23s  %23s  %23s", "route", "requests", "IProf p50, p99 ms", "handler", "client")
			for i := range numRoutes {
				route := "GET " + pattern(name, i)
				row := rows[route]
				if row == nil {
					t.Errorf("no row %q", route)
					continue
				}
				p50, p99 := row.Values[report.ColumnCallP50], row.Values[report.ColumnCallP99]
				want50, want99 := quantile(own.of[i], 0.5), quantile(own.of[i], 0.99)
				near, far := quantile(own.of[i], 0.98), quantile(own.of[i], 1)
				t.Logf("%-28s %8.0f  %11.2f %11.2f  %11.2f %11.2f  %11.2f %11.2f", route,
					row.Values[report.ColumnCallsCounted], p50, p99, want50, want99,
					quantile(client.of[i], 0.5), quantile(client.of[i], 0.99))
				if n := row.Values[report.ColumnCallsCounted]; int(n) != len(own.of[i]) {
					t.Errorf("%s: %v requests counted; want %d", route, n, len(own.of[i]))
				}
				if p50 < want50*0.97 || p50 > want50*1.1+0.3 || p99 < near*0.97 || p99 > far*1.1+1 {
					t.Errorf("%s: p50 %.2f, p99 %.2f; the handler took %.2f, %.2f", route, p50, p99, want50, want99)
				}
			}
		})
	}
}
