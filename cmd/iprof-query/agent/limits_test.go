package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// A damaged or foreign file has a clear error, or is read as far as it is whole, and the answer says so.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	whole := must.Get(os.ReadFile(capture(t, dir, "whole.iprof", 1, 200)))(t)
	write := func(name string, text []byte) { must.Do(t, os.WriteFile(filepath.Join(dir, name), text, 0o600)) }
	broken := bytes.Clone(whole)
	for i := range 40 {
		broken[len(broken)/2+i] ^= 0x55
	}
	newer := bytes.Clone(whole)
	newer[bytes.IndexByte(newer, '\n')+1] = 99
	write("cut.iprof", whole[:len(whole)*2/3])
	write("broken.iprof", broken)
	write("newer.iprof", newer)
	write("empty.iprof", nil)
	write("text.iprof", []byte("Dear reader,\nthis is no capture.\n"))
	write("bomb.json", []byte(`[{"ph":"X","name":"a","ts":0,"dur":1},`+strings.Repeat("[", 1<<20)))
	for _, long := range []int64{1 << 30, 1} {
		agent.SetLongFile(t, long)
		c := connect(t, budget.Usual, dir)
		has(t, c.ask("open", arguments{"capture": "cut.iprof"}), `"damage":["`, `"cut_off_at_its_end":true`)
		has(t, c.ask("open", arguments{"capture": "broken.iprof"}), `"damage":["`)
		for _, name := range []string{"cut.iprof", "broken.iprof"} {
			c.ask("why", arguments{"capture": name})
			c.ask("top", nil)
			c.ask("why", arguments{"frames": "worst:5"})
		}
		for _, name := range []string{"empty.iprof", "text.iprof", "newer.iprof"} {
			text := c.fails("open", arguments{"capture": name})
			if has(t, text, "'"+name+"'"); name != "newer.iprof" {
				has(t, text, "open without a capture lists")
			}
		}
		has(t, c.ask("open", arguments{"capture": "bomb.json"}), `"imported":"left out: 1 event not in JSON`)
		has(t, c.ask("open", arguments{"capture": "whole.iprof"}), `"frames":200`)
	}
}

// A question ends at its limit of time, also while another is being answered. The next one has an answer.
func TestQuestionsEnd(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, budget.Usual, dir)
		blocked, done := make(chan bool), make(chan error)
		go func() { done <- c.server.Ask(func() { <-blocked }) }()
		for i, want := range []string{"takes longer than 10m0s; ask for fewer frames", "another question"} {
			err := <-done
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%d: got %v; want %s", i, err, want)
			}
			if i == 0 {
				go func() { done <- c.server.Ask(func() {}) }()
			}
		}
		close(blocked)
		if err := c.server.Ask(func() {}); err != nil {
			t.Errorf("then: got %v; want an answer", err)
		}
		err := c.server.Ask(func() { panic("x") })
		if err == nil || !strings.Contains(err.Error(), "a fault of iprof: x") {
			t.Errorf("got %v; want a fault as an error", err)
		}
	})
}

// The limits are those of a question, not of a capture: it stays open for as long as the client wants.
func TestLimitsAreOfOneQuestion(t *testing.T) {
	dir := t.TempDir()
	capture(t, dir, "game.iprof", 1, 3000)
	agent.SetLongFile(t, 1)
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, budget.Usual, dir)
		for i := range 4 {
			c.ask("top", arguments{"capture": "game.iprof", "frames": fmt.Sprint("0-", 2900-i)}) // it reads all of them
			time.Sleep(2 * budget.Usual.Time)
		}
	})
}

// A query of SQL ends at the limit, too, and cannot reach beyond the tables.
func TestQueriesEnd(t *testing.T) {
	dir := t.TempDir()
	path := capture(t, dir, "game.iprof", 1, 30)
	limits := budget.Usual
	limits.Time = time.Second
	c := connect(t, limits, dir)
	has(t, c.fails("sql", arguments{"query": "select 1 from frames"}), "no capture is open")
	c.ask("open", arguments{"capture": "game.iprof"})
	endless := "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
	has(t, c.fails("sql", arguments{"query": endless}), "-limits time=")
	for query, want := range map[string]string{"select * from frame": "the nearest is frames",
		"attach '" + path + "' as other": "can only read the tables",
		"select x from frames":           "sql without a query lists"} {
		has(t, c.fails("sql", arguments{"query": query}), want)
	}
	has(t, c.ask("sql", arguments{"query": "select count(*) from frames"}), `"rows":[[30]]`)
}

// Tables that are larger than allowed end the query.
func TestTablesAreLimited(t *testing.T) {
	dir := t.TempDir()
	capture(t, dir, "game.iprof", 1, 6000)
	limits := budget.Usual
	limits.Memory = 1 << 20
	c := connect(t, limits, dir)
	runtime.GC()
	q := arguments{"capture": "game.iprof", "query": "select count(*) from calls"}
	has(t, c.fails("sql", q), "the tables of the query take more than 8 MB", "list and top", "-limits memory=")
	has(t, connect(t, budget.Usual, dir).ask("sql", q), `"rows":[[`)
}

// A file that needs more memory than allowed has an error that names the limit.
func TestMemoryIsLimited(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "big.json", func(file *os.File) {
		fmt.Fprint(file, "[0")
		for i := range 50_000 {
			fmt.Fprintf(file, `,{"ph":"X","name":"a%d","ts":%d,"dur":1}`, i, 2*i)
		}
		fmt.Fprint(file, "]")
	})
	c := connect(t, budget.Usual, dir)
	has(t, c.ask("open", arguments{"capture": "big.json"}), `"kind":"trace"`)
	limits := budget.Usual
	limits.Written = 1
	limits.Memory = -1 << 40
	c = connect(t, limits, dir)
	has(t, c.fails("open", arguments{"capture": "big.json"}), "memory; allow more with -limits memory=")
}

// Of a long file the answers are the same as of a short one, although only the frames asked for are read.
func TestLongFilesHaveTheSameAnswers(t *testing.T) {
	dir := t.TempDir()
	create(t, dir, "game.iprof", func(file *os.File) {
		w, p := framefile.NewWriter(file, framefile.Info{Program: "game"}), world.NewRandom(5)
		for i := range 4000 { // the budget in force is the newest
			must.Do(t, w.WriteJudged(p.Frame(), &process.Judged{Budget: time.Duration(5+i/1000) * time.Millisecond}))
		}
		must.Do(t, w.Close())
	})
	var answers [2][]string
	questions := []call{{"open", nil}, {"list", arguments{"what": "frames", "frames": "worst:20"}},
		{"list", arguments{"what": "frames", "frames": "100-900,over", "limit": 5}}, {"why", nil},
		{"why", arguments{"frames": "f1234"}}, {"why", arguments{"frames": "worst:9"}},
		{"why", arguments{"frames": "2000-2100,worst:4"}}, {"frame", arguments{"frame": "f3"}},
		{"frame", arguments{"frame": "f777"}}, {"frame", arguments{"frame": "f3999"}},
		{"top", arguments{"limit": 12}}, {"top", arguments{"by": "path", "frames": "500-999"}},
		{"calls", arguments{"zone": "z5"}}, {"list", arguments{"what": "zones"}},
		{"list", arguments{"what": "lanes", "frames": "100-900,over"}}, {"top", arguments{"lane": "l2"}},
		{"list", arguments{"what": "lanes", "by": "frame", "id": "l2", "limit": 5}}}
	for i, long := range []int64{1 << 30, 1} {
		agent.SetLongFile(t, long)
		c := connect(t, budget.Usual, dir)
		for _, q := range questions {
			answers[i] = append(answers[i], withoutStatistics(t, c.ask(q.tool, with(q.arguments, "game.iprof"))))
		}
	}
	for i := range questions {
		if answers[0][i] != answers[1][i] {
			t.Errorf("%v: got\n%s of a long file; want\n%s", questions[i], answers[1][i], answers[0][i])
		}
	}
}

// withoutStatistics removes quantiles, which are within 0.8 % for a long file.
func withoutStatistics(t *testing.T, text string) string {
	var v map[string]any
	must.Do(t, json.Unmarshal([]byte(text), &v))
	if rows, is := v["rows"].([]any); is {
		for _, r := range rows {
			if r, is := r.(map[string]any); is {
				delete(r, "hier_p99_ms")
			}
		}
	}
	return string(must.Get(json.Marshal(v))(t))
}
