package html

import (
	"bytes"
	"crypto/sha256"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/iprof/process/report"
)

// TestSHA256 compares with crypto/sha256, texts of all lengths of a block and the page's script.
func TestSHA256(t *testing.T) {
	list := []string{pageParts(false).script, pageParts(true).script, styleCSS}
	for n := range 130 {
		list = append(list, strings.Repeat("a\u2009", n)[:n])
	}
	for _, text := range list {
		if got, want := sha256Of(text), sha256.Sum256([]byte(text)); got != want {
			t.Errorf("%d bytes: got %x; want %x", len(text), got, want)
		}
	}
}

// TestPNG: package image/png reads the same pixels, of pictures of all kinds.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {240, 135}} {
		p := striped(size[0], size[1])
		for i := range p.Pixels[:len(p.Pixels)/2] {
			p.Pixels[i] += byte(r.IntN(256))
		}
		m, err := png.Decode(bytes.NewReader(encodePNG(p)))
		if err != nil || m.Bounds().Dx() != p.Width || m.Bounds().Dy() != p.Height {
			t.Fatalf("%v: got %v, %v", size, m, err)
		}
		for i := range p.Width * p.Height {
			r, g, b, a := m.At(i%p.Width, i/p.Width).RGBA()
			if got := [4]byte{byte(r), byte(g), byte(b), byte(a)}; got != [4]byte{p.Pixels[3*i], p.Pixels[3*i+1],
				p.Pixels[3*i+2], 255} {
				t.Fatalf("%v, pixel %d: got %v; want %v", size, i, got, p.Pixels[3*i:3*i+3])
			}
		}
	}
	if n := len(encodePNG(&report.Picture{Width: 480, Height: 480, Pixels: make([]byte, 3*480*480)})); n > 2000 {
		t.Errorf("an empty picture takes %d bytes", n)
	}
}

// TestFill: what a template's actions become.
func TestFill(t *testing.T) {
	v := values{".A": `<b> & "c"`, ".Raw": raw("<i>"), ".No": "", ".List": texts([]string{"x", "<y>"}),
		".With": values{".A": "inside", ".List": texts(nil)}, ".Nil": values(nil)}
	for template, want := range map[string]string{
		"plain":                                "plain",
		`<p t="{{.A}}">{{.A}}{{.Raw}}`:         `<p t="&lt;b&gt; &amp; &#34;c&#34;">&lt;b&gt; &amp; &#34;c&#34;<i>`,
		"{{range .List}}[{{.}}]{{end}}.":       "[x][&lt;y&gt;].",
		"{{if .No}}no{{end}}{{if .A}}a{{end}}": "a",
		"{{with .With}}{{.A}}{{range .List}}x{{end}}{{if .A}}!{{end}}{{end}}-{{with .Nil}}x{{end}}": "inside!-",
		"{{.Unknown}}{{with .Unknown}}x{{end}}":                                                     "",
	} {
		if got := string(fill(nil, template, v)); got != want {
			t.Errorf("%s: got %q; want %q", template, got, want)
		}
	}
}
