//go:build !iprof_off

package agent_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/planted"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// plant writes a capture of a game with a planted hitch.
func plant(t *testing.T, dir, name string, h *planted.Hitch, traced bool) (slow uint64) {
	create(t, dir, name, func(file *os.File) { slow = must.Get(planted.Play(file, h, traced))(t) })
	return slow
}

// Why the worst frame was slow is one question: for each planted hitch the answer has function, reason and line.
func TestWhyTheWorstFrameWasSlow(t *testing.T) {
	for i := range planted.Hitches {
		for _, traced := range []bool{false, true} {
			h := &planted.Hitches[i]
			t.Run(h.Name+map[bool]string{true: ", traced"}[traced], func(t *testing.T) {
				dir := t.TempDir()
				plant(t, dir, "game.iprof", h, traced)
				c := connect(t, budget.Usual, dir)
				text := c.ask("why", arguments{"capture": "game.iprof"})
				function, words := h.Words(traced)
				has(t, strings.ReplaceAll(text, "'", ""), append(words, function)...)
			})
		}
	}
}

// play writes a capture of a game whose frames do what a function chooses.
func play(t *testing.T, dir, name string, change func(i int, g *planted.Game, p *planted.Turn)) {
	create(t, dir, name, func(file *os.File) { must.Do(t, planted.Run(file, true, change)) })
}

// asked writes the captures that the questions are about.
func asked(t *testing.T) (dir string) {
	dir = t.TempDir()
	mutex := gather.LaneState{Kind: gather.StateWaiting, Reason: "mutex", Place: "game.go:9", At: "load.go:31"}
	play(t, dir, "base.iprof", func(int, *planted.Game, *planted.Turn) {})
	play(t, dir, "slower.iprof", func(_ int, _ *planted.Game, p *planted.Turn) { p.Decode += 2 * planted.MS })
	play(t, dir, "lates.iprof", func(i int, _ *planted.Game, p *planted.Turn) {
		if i > 30 && i%10 == 0 {
			p.Calls = 100
		}
	})
	play(t, dir, "levels.iprof", func(i int, g *planted.Game, p *planted.Turn) {
		switch {
		case i == 0:
			iprof.Section("level 1")
		case i == 60:
			iprof.Section("level 2")
			iprof.Mark("level 2 loaded")
			p.Level = func() { g.Work(50 * planted.MS) }
		}
		if i >= 60 {
			p.Render = 9 * planted.MS
		}
	})
	play(t, dir, "locks.iprof", func(i int, g *planted.Game, p *planted.Turn) {
		if i%4 == 0 {
			q := mutex
			q.Waker = g.Loader
			p.Spawn = func() { g.Stand(8*planted.MS, q) }
		}
	})
	for i := range planted.Hitches {
		if h := &planted.Hitches[i]; slices.Contains([]string{"lock", "late worker", "other programs"}, h.Name) {
			plant(t, dir, h.Name+".iprof", h, true)
		}
	}
	server(t, dir, "server.iprof")
	return dir
}

// routes are the calls of the server's routes.
type routes struct{ list []gather.Calls }

// AppendCalls appends them.
func (r *routes) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, r.list...) }

// server writes a capture of a server with two routes. One of the calls of "GET /orders" is slow: it asks the database
// thirty times.
func server(t *testing.T, dir, name string) {
	at := func(name, function string, line int) gather.ZoneInfo {
		return gather.ZoneInfo{Name: name, Function: "shop." + function, File: "/src/shop/shop.go", Line: line}
	}
	zones := []gather.ZoneInfo{{Name: "(root)"}, at("GET /orders", "orders", 10), at("handler", "handle", 20),
		at("db.Query", "query", 30), at("GET /health", "health", 40)}
	calls := &routes{[]gather.Calls{{Lane: 1, Node: 2, Zone: 1}, {Lane: 1, Node: 5, Zone: 4}}}
	create(t, dir, name, func(file *os.File) {
		w := framefile.NewWriter(file, framefile.Info{Program: "shop"})
		for i := range 40 {
			begin := platform.Ticks(i) * 1000
			f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 1000, TicksPerSecond: 1000, Zones: zones,
				EventDriven: true, Lanes: []gather.LaneFrame{{ID: 1, Name: "serve", Begin: begin, End: begin + 1000,
					Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 790}, {ID: 2, Zone: 1, Count: 40, Self: 20},
						{ID: 3, Zone: 2, Parent: 1, Count: 40, Self: 30},
						{ID: 4, Zone: 3, Parent: 2, Count: 90, Self: 150}, {ID: 5, Zone: 4, Count: 10, Self: 10}}}}}
			for range 40 {
				calls.list[0].Add(5)
			}
			calls.list[1].Add(1)
			if length, slow := map[int]platform.Ticks{5: 30, 21: 60, 37: 45}[i]; slow {
				calls.list[0].Add(length)
				f.SlowCalls = []gather.SlowCall{{Zone: 1, Lane: 1, Begin: begin + 100, End: begin + 100 + length,
					Usual: 5, Parts: []gather.CallPart{{Zone: 2, Count: 1, Time: length - 1},
						{Zone: 3, Level: 1, Count: 30, Time: length - 3}}}}
			}
			must.Do(t, w.WriteJudged(f, &process.Judged{Calls: calls, Budget: time.Second / 60}))
		}
		must.Do(t, w.Close())
	})
}

// question is a question of a user, the calls that answer it, and words of their answers: function, reason, line.
type question struct {
	words string
	calls []call
	want  []string
}

// call is a call of a tool. $x in an argument is the first field x of the answer before.
type call struct {
	tool string
	arguments
}

var questions = []question{
	{"why was the worst frame slow", []call{{"why", arguments{"capture": "lock.iprof"}}},
		[]string{"planted.(*Game).spawn",
			"waited for 'mutex' for 100.0 (usually not), released by 'loader' at 'load.go:31'"}},
	{"what got slower since the base and at which line",
		[]call{{"compare", arguments{"capture": "slower.iprof", "base": "base.iprof"}}},
		[]string{`"verdict":"slower","zone":"z7","zone_name":"decode","function_name":"planted.(*Game).decode"`,
			"game.go:", `"before_ms":3,"after_ms":5`}},
	{"which route is slow and in which calls",
		[]call{{"calls", arguments{"capture": "server.iprof"}}, {"calls", arguments{"call": "$call"}}},
		[]string{`{"slow_calls":[{"call":"c2"`, `"most_of_it_in":{"zone":"z3"`,
			`"rows":[{"zone":"z1","zone_name":"GET /orders"`,
			"60.0 ms, usually 5.0", "'db.Query' 57.0 in 30 calls", "shop.query", "/src/shop/shop.go:30"}},
	{"who waited for which lock", []call{{"list", arguments{"capture": "locks.iprof", "what": "locks"}}},
		[]string{`"lock_name":"mutex","waited_at_name":"game.go:9","waits":30,"ms":240`, `"waited_most_name":"main"`,
			`"released_by_name":"loader","released_at_name":"load.go:31","released_there_ms":240`}},
	{"have the late frames one cause", []call{{"why", arguments{"capture": "lates.iprof", "frames": "over"}}},
		[]string{`"frames":"8 of 8 explained","causes":[{"cause_name":"pathfind","frames":8`,
			"called 100 times instead of 4 by 'update'", "planted.(*Game).pathfind"}},
	{"which level is slow, and in which function",
		[]call{{"list", arguments{"capture": "levels.iprof", "what": "sections"}},
			{"compare", arguments{"capture": "levels.iprof", "base": "levels.iprof", "frames": `section:"level 2"`,
				"base_frames": `section:"level 1"`}}},
		[]string{`"section_name":"level 2"`, `"zone_name":"render","function_name":"planted.(*Game).render"`,
			`"before_ms":4,"after_ms":9`}},
	{"what takes the most time", []call{{"top", arguments{"capture": "slower.iprof", "limit": 1}}},
		[]string{"planted.(*Game).", "game.go:", `"shown":"rows 1 of `}},
	{"who calls pathfind, and how often", []call{{"calls", arguments{"capture": "base.iprof", "zone": "pathfind"}}},
		[]string{`"zone_name":"update","function_name":"planted.(*Game).update"`, `"is":"caller"`, `"calls":4`}},
	{"on which goroutine was the time of the slowest frame",
		[]call{{"open", arguments{"capture": "late worker.iprof"}}, {"frame", arguments{"frame": "$frame"}}},
		[]string{`"lane_name":"loader","busy_ms":90`, "planted.(*Game).decode",
			`"ms":90,"waited_for_name":"chan receive"`}},
	{"was it the program or the machine", []call{{"why", arguments{"capture": "other programs.iprof"}}},
		[]string{"The machine gave the processor to other programs for 60.0 of 73.2 ms"}},
	{"what do late frames have more of",
		[]call{{"top", arguments{"capture": "lates.iprof", "frames": "over", "limit": 1}},
			{"top", arguments{"frames": "within", "filter": "pathfind"}}},
		[]string{`"zone_name":"pathfind"`, `"self_ms":30`, `"calls":100`, `"self_ms":1.2`, `"calls":4`}},
	{"which single call took longest, where, and what was in it",
		[]call{{"list", arguments{"capture": "late worker.iprof", "what": "calls", "name": "decode"}},
			{"calls", arguments{"call": "$id"}}},
		[]string{`"zone_name":"decode","function_name":"planted.(*Game).decode"`, `"lane_name":"loader"`,
			`"frame":"f101"`, `"time_ms":90`, `"shown":"rows 1 of 1"`}},
	{"how long do zones of late frames take, one in a hundred",
		[]call{{"sql", arguments{}}, {"sql", arguments{"capture": "lates.iprof", "limit": 1,
			"query": "select zone, function, p99(calls.self_ms) as p99 from calls join frames using (file, frame) " +
				"join zones using (file, zone_id, zone) where late and zone != '(root)' group by zone " +
				"order by p99 desc"}}},
		[]string{`"table":"calls"`, `["'pathfind'","'example.com/iprof/internal/planted.(*Game).pathfind'",30]`,
			"rows 1 of "}},
	{"what happened when level 2 was loaded",
		[]call{{"list", arguments{"capture": "levels.iprof", "what": "marks", "name": "loaded"}},
			{"why", arguments{"frames": "$frame"}}},
		[]string{`"text_name":"level 2 loaded"`, "'level' 50.0 (usually not called), called by 'update'",
			"planted.(*Game).level"}},
}

// Each question has its answer in at most three calls, each below 4 kB.
func TestQuestions(t *testing.T) {
	dir := asked(t)
	for i := range questions {
		q := &questions[i]
		t.Run(q.words, func(t *testing.T) {
			c := connect(t, budget.Usual, dir)
			all, last := "", ""
			for _, k := range q.calls {
				for name, value := range k.arguments {
					if field, is := strings.CutPrefix(fmt.Sprint(value), "$"); is {
						k.arguments[name] = regexp.MustCompile(`"` + field + `":"([\w.]+)"`).FindStringSubmatch(last)[1]
					}
				}
				last = c.ask(k.tool, k.arguments)
				all += last + "\n"
			}
			if has(t, all, q.want...); c.asked > 3 {
				t.Errorf("got %d calls; want at most three", c.asked)
			}
		})
	}
}

// The first frame has the start of the program, so another is explained if none is asked for.
func TestTheFirstFrameIsNotTheWorst(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "game.iprof", func(file *os.File) {
		w := framefile.NewWriter(file, framefile.Info{Program: "game"})
		now := platform.Ticks(0)
		for i := range 60 {
			took := map[int]platform.Ticks{0: 900, 40: 300}[i] + 10
			f := &gather.Frame{Index: uint64(i), Begin: now, End: now + took, TicksPerSecond: 1000,
				Zones: []gather.ZoneInfo{{Name: "(root)"},
					{Name: "step", Function: "main.step", File: "/src/main.go", Line: 7}},
				Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: now, End: now + took,
					Nodes: []gather.Node{{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: took}}}}}
			must.Do(t, w.WriteJudged(f, &process.Judged{Budget: time.Second / 60}))
			now += took
		}
		must.Do(t, w.Close())
	})
	c := connect(t, budget.Usual, dir)
	has(t, c.ask("why", arguments{"capture": "game.iprof"}), "Frame 40:", "main.step", "/src/main.go:7")
	has(t, c.ask("open", nil), "game.iprof")
	has(t, c.ask("why", arguments{"frames": "f0"}), `"frame":"f0"`, "main.step")
}

// A picture of a frame comes with the answer if it is asked for, and shows that frame.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "game.iprof", &planted.Hitches[0], true)
	c := connect(t, budget.Usual, dir)
	var before []byte
	for _, k := range []call{{"why", arguments{"capture": "game.iprof", "picture": true}},
		{"frame", arguments{"frame": "f50", "picture": true}}} {
		_, file, failed := c.call(k.tool, k.arguments)
		m, err := png.Decode(bytes.NewReader(file))
		if failed || err != nil || m.Bounds().Dx() != 1280 || bytes.Equal(file, before) {
			t.Errorf("%v: got %d bytes, %v; want a picture of that frame", k, len(file), err)
		}
		before = file
	}
	if _, file, _ := c.call("why", nil); file != nil {
		t.Error("got a picture that was not asked for")
	}
}
