package moment_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/must"
)

// Every moment is the moment of its link, whatever the names are. A link has no character that ends it in a shell's
// single quotes, in a page or in an address.
func TestALinkIsReadAsItWasWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	for range 5000 {
		want := moment.Moment{HasFrame: r.IntN(2) == 0, Zone: text(), View: text(), Lane: r.Uint64() >> r.IntN(64)}
		if want.HasFrame {
			want.Frame = r.Uint64() >> r.IntN(64)
		}
		link := want.String()
		got, err := moment.Parse("#" + link)
		if err != nil || got != want || strings.ContainsAny(link, "'\"<>#\\ \n\x00") {
			t.Fatalf("%q: got %+v, %v; want %+v", link, got, err, want)
		}
	}
}

func TestAWrongLinkNamesItsPart(t *testing.T) {
	for link, want := range map[string]string{"frame=-1": "frame=140", "frame": "frame=140", "lane=x": "number",
		"zone=%4": "two digits", "zone=%zz": "two digits", "zoom=3": "frame=140&zone=NAME"} {
		if m, err := moment.Parse(link); err == nil || m != (moment.Moment{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %+v, %v; want nothing, and an error with %q", link, m, err, want)
		}
	}
}

// The name of a file may have the sign of a link.
func TestAFileOfTheWholeNameComesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("a#b", nil, 0o600))
	for name, want := range map[string][2]string{"a#b": {"a#b", ""}, "a#frame=1": {"a", "frame=1"}, "a": {"a", ""},
		":6060#zone=x": {":6060", "zone=x"}} {
		if file, link := moment.Split(name); file != want[0] || link != want[1] {
			t.Errorf("%s: got %q, %q; want %q", name, file, link, want)
		}
	}
}

func Example() {
	m := moment.Of(140)
	m.Zone = "(*world).update it's"
	fmt.Println(moment.Command("the game.iprof", m.String()))
	again, err := moment.Parse(m.String())
	fmt.Println(again.Frame, again.Zone, err)
	// Output:
	// iprof view 'the game.iprof#frame=140&zone=(*world).update%20it%27s'
	// 140 (*world).update it's <nil>
}
