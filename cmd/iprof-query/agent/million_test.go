package agent_test

import (
	"fmt"
	"os"
	"testing"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
)

// BenchmarkMillionFrames asks about a capture of a million frames: the first question opens it. Run it with
// -benchtime 1x. The capture takes some 300 MB in the folder of temporary files.
func BenchmarkMillionFrames(b *testing.B) {
	dir := b.TempDir()
	file := must.Get(os.Create(dir + "/game.iprof"))(b)
	w, p := framefile.NewWriter(file, framefile.Info{Program: "game"}), world.NewRandom(1)
	for i := range 1_000_000 {
		if i%50_000 == 49_999 {
			p.Plant(world.Longer)
		}
		must.Do(b, w.WriteFrame(p.Frame()))
	}
	must.Do(b, w.Close())
	must.Do(b, file.Close())
	s := must.Get(agent.New(agent.Options{Folders: []string{dir}, Limits: budget.Usual}))(b)
	defer s.Close()
	c := connectTo(b, s)
	questions := []call{{"open", arguments{"capture": "game.iprof"}}, {"why", nil},
		{"why", arguments{"frames": "f500000"}}, {"why", arguments{"frames": "over"}},
		{"why", arguments{"frames": "worst:20"}}, {"top", nil}, {"top", arguments{"sort": "hier_p99_ms"}},
		{"top", arguments{"frames": "over"}}, {"top", arguments{"frames": "400000-500000"}},
		{"frame", arguments{"frame": "f777777"}}, {"frame", arguments{"frame": "f777777", "picture": true}},
		{"calls", arguments{"zone": "z5"}}, {"list", arguments{"what": "frames"}},
		{"list", arguments{"what": "lanes"}},
		{"compare", arguments{"base": "game.iprof", "base_frames": "0-400000", "frames": "500000-900000"}},
		{"sql", arguments{"query": "select count(*), p99(judged_ms) from frames"}},
		{"sql", arguments{"query": "select count(*) from calls"}}}
	for i, q := range questions {
		b.Run(fmt.Sprint(i, " ", q.tool, " ", q.arguments), func(b *testing.B) {
			for range b.N {
				text, _, failed := c.call(q.tool, q.arguments)
				if failed {
					b.Log(text)
				}
			}
		})
	}
}
