package export

import (
	"encoding/json"
	"io"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// speedscopeSchema identifies the format in each file.
const speedscopeSchema = "https://www.speedscope.app/file-format-schema.json"

type speedscopeFile struct {
	Schema   string              `json:"$schema"`
	Name     string              `json:"name"`
	Exporter string              `json:"exporter"`
	Shared   speedscopeShared    `json:"shared"`
	Profiles []speedscopeProfile `json:"profiles"`
}

type speedscopeShared struct {
	Frames []speedscopeFrame `json:"frames"`
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// speedscopeProfile is one lane: a sample for each stack, with its self time as weight.
type speedscopeProfile struct {
	Type       string  `json:"type"`
	Name       string  `json:"name"`
	Unit       string  `json:"unit"`
	StartValue int64   `json:"startValue"`
	EndValue   int64   `json:"endValue"`
	Samples    [][]int `json:"samples"`
	Weights    []int64 `json:"weights"`
}

// Speedscope writes the file format of speedscope.app: a profile for each lane, a sample for each stack. It leaves out
// counts. It returns the first error of w.
func Speedscope(w io.Writer, d *report.Dump) error {
	file := speedscopeFile{
		Schema: speedscopeSchema, Name: d.Program, Exporter: "iprof", Profiles: []speedscopeProfile{},
	}
	for i := range d.Zones {
		z := &d.Zones[i]
		name := zoneName(d, &report.TreeNode{Zone: report.ZoneID(i)})
		frame := speedscopeFrame{Name: name, File: z.File, Line: z.Line}
		file.Shared.Frames = append(file.Shared.Frames, frame)
	}
	for i := range d.Lanes {
		file.Profiles = append(file.Profiles, speedscopeLane(&d.Lanes[i]))
	}
	b, err := json.Marshal(&file)
	if err == nil {
		_, err = w.Write(append(printed.JSON(b), '\n'))
	}
	return err
}

func speedscopeLane(lane *report.LaneTree) speedscopeProfile {
	p := speedscopeProfile{
		Type: "sampled", Name: lane.Name, Unit: "nanoseconds", Samples: [][]int{}, Weights: []int64{},
	}
	stacks := stacksOf(lane.Nodes)
	for i := range lane.Nodes {
		ns := nanoseconds(lane.Nodes[i].Self)
		if ns <= 0 {
			continue
		}
		var stack []int
		for _, at := range stacks.to(i) {
			stack = append(stack, int(lane.Nodes[at].Zone))
		}
		p.Samples, p.Weights = append(p.Samples, stack), append(p.Weights, ns)
		p.EndValue += ns
	}
	return p
}
