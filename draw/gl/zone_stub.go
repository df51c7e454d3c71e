//go:build !cgo && !windows

package gl

import "example.com/iprof/gather"

// GPULane returns the error of NewRenderer.
func GPULane() (*gather.ForeignLane, error) { return nil, errNoCgo }

type gpuScope struct{}

func beginGPU(*Zone, bool) gpuScope { return gpuScope{} }

func (gpuScope) end() {}
