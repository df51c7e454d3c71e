//go:build cgo || windows

package gl

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"example.com/iprof/shaders"
)

// serial numbers the programs, so that each has a unique attribute name.
var serial atomic.Uint64

// program is the GLSL program in one context, or in contexts that share objects.
type program struct {
	id                   uint32
	position             string // name of the position attribute, unique to this program
	projection, blending int32
	linked               int32
}

// newProgram compiles and links the program for the current context. Errors contain the driver's log.
func newProgram(d shaders.Dialect) (*program, error) {
	tag := strconv.FormatUint(serial.Add(1), 10)
	vertex, fragment := shaders.Quads(d, tag)
	p := &program{id: createProgram(), position: shaders.AttributePosition + tag + "\x00"}
	if err := p.build(vertex, fragment); err != nil {
		deleteProgram(p.id)
		return nil, err
	}
	p.projection = uniformLocation(p.id, shaders.UniformProjection+"\x00")
	p.blending = uniformLocation(p.id, shaders.UniformBlending+"\x00")
	return p, nil
}

func (p *program) build(vertex, fragment string) error {
	for _, stage := range []struct {
		kind         uint32
		name, source string
	}{{glVertexShader, "vertex", vertex}, {glFragmentShader, "fragment", fragment}} {
		id, err := compile(stage.kind, stage.name, stage.source)
		if err != nil {
			return err
		}
		attachShader(p.id, id)
		deleteShader(id)
	}
	bindAttribLocation(p.id, shaders.LocationPosition, p.position)
	bindAttribLocation(p.id, shaders.LocationAtlas, shaders.AttributeAtlas+"\x00")
	bindAttribLocation(p.id, shaders.LocationColor, shaders.AttributeColor+"\x00")
	return p.link()
}

func (p *program) link() error {
	linkProgram(p.id)
	if getProgram(p.id, glLinkStatus, &p.linked); p.linked != 0 {
		return nil
	}
	n := new(int32)
	getProgram(p.id, glInfoLogLength, n)
	return fmt.Errorf("profgl: the shader program does not link: %s", strings.TrimSpace(programLog(p.id, *n)))
}

// compile returns a compiled shader stage.
func compile(kind uint32, name, source string) (uint32, error) {
	id, n := createShader(kind), new(int32)
	shaderSource(id, source)
	compileShader(id)
	if getShader(id, glCompileStatus, n); *n != 0 {
		return id, nil
	}
	getShader(id, glInfoLogLength, n)
	log := strings.TrimSpace(shaderLog(id, *n))
	deleteShader(id)
	return 0, fmt.Errorf("profgl: the %s shader does not compile: %s", name, log)
}

// current reports whether the current context has exactly this program. It raises no GL error in another context or
// without one.
func (p *program) current() bool {
	if !isProgram(p.id) {
		return false
	}
	getProgram(p.id, glLinkStatus, &p.linked)
	return p.linked != 0 && attribLocation(p.id, p.position) == shaders.LocationPosition
}
