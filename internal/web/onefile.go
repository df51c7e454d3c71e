package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Write writes a page with the viewer and a capture that needs no server. The name is for people.
//
// The browser runs only scripts whose hashes are in the page, and blocks all requests of the page.
func (v *Viewer) Write(w io.Writer, name string, capture io.Reader) error {
	style, files, start := asset("page.css"), asset("files.js"), asset("onefile.js")
	exec := string(v.Script)
	policy := "default-src 'none'; script-src 'wasm-unsafe-eval' " + hash(files) + " " + hash(exec) + " " +
		hash(start) + "; style-src " + hash(style) + "; img-src data: blob:; base-uri 'none'; form-action 'none'"
	head, tail, _ := strings.Cut(asset("page.html"), `<script src="files.js">`)
	head = strings.Replace(head, `<link rel="stylesheet" href="page.css">`, "<style>"+style+"</style>", 1)
	head = strings.Replace(head, `<meta charset="utf-8">`,
		`<meta charset="utf-8">`+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	_, tail, _ = strings.Cut(tail, `<script src="start.js"></script>`)
	quoted, err := json.Marshal(name) // escapes <, > and &
	if err != nil {
		return err
	}
	p := &pageWriter{w: w}
	p.text(head, `<script type="application/json" id="name">`, string(quoted), "</script>\n", block("program"))
	p.base64(func(to io.Writer) error { _, err := to.Write(v.Program); return err })
	p.text("</script>\n", block("capture"))
	p.base64(func(to io.Writer) error {
		z, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
		if err == nil {
			_, err = io.Copy(z, capture)
			err = errors.Join(err, z.Close())
		}
		return err
	})
	p.text("</script>\n")
	for _, script := range []string{files, exec, start} {
		p.text("<script>", script, "</script>\n")
	}
	if p.text(strings.TrimLeft(tail, "\n")); p.err != nil {
		return fmt.Errorf("writing the page: %w", p.err)
	}
	return nil
}

// asset returns a file of the page.
func asset(name string) string {
	text, _ := assets.ReadFile("assets/" + name)
	return string(text)
}

// block begins a block of data, which browsers do not run.
func block(id string) string { return `<script type="application/octet-stream" id="` + id + `">` }

// hash returns the policy's expression for exactly this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageWriter writes parts of a page, and keeps the first error.
type pageWriter struct {
	w   io.Writer
	err error
}

func (p *pageWriter) text(parts ...string) {
	for _, part := range parts {
		if p.err == nil {
			_, p.err = io.WriteString(p.w, part)
		}
	}
}

// base64 writes the output of a function in base64.
func (p *pageWriter) base64(write func(io.Writer) error) {
	if p.err != nil {
		return
	}
	to := base64.NewEncoder(base64.StdEncoding, p.w)
	p.err = errors.Join(write(to), to.Close())
}
