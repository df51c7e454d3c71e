//go:build windows && (!cgo || wgl)

package gl

// These are the functions of OpenGL that the package calls, in the order of functionNames.
const (
	fnFlush = iota
	fnGetString
	fnGetStringi
	fnGetIntegerv
	fnGetIntegeri_v
	fnGetBooleanv
	fnGetBooleani_v
	fnGetFloatv
	fnGetVertexAttribiv
	fnIsEnabled
	fnIsEnabledi
	fnEnable
	fnDisable
	fnEnablei
	fnDisablei
	fnColorMask
	fnColorMaski
	fnPolygonMode
	fnClipControl
	fnPixelStorei
	fnBlendEquationSeparate
	fnBlendEquationSeparatei
	fnBlendFuncSeparate
	fnBlendFuncSeparatei
	fnIsProgram
	fnUseProgram
	fnCreateProgram
	fnDeleteProgram
	fnLinkProgram
	fnGetProgramiv
	fnCreateShader
	fnDeleteShader
	fnCompileShader
	fnAttachShader
	fnGetShaderiv
	fnUniformMatrix4fv
	fnUniform1fv
	fnBindVertexArray
	fnGenVertexArrays
	fnDeleteVertexArrays
	fnBindBuffer
	fnGenBuffers
	fnDeleteBuffers
	fnEnableVertexAttribArray
	fnDisableVertexAttribArray
	fnVertexAttribDivisor
	fnActiveTexture
	fnBindTexture
	fnGenTextures
	fnDeleteTextures
	fnTexParameteri
	fnBindSampler
	fnDrawElements
	fnDrawRange
	fnBufferData
	fnTexImage2D
	fnVertexAttribPointer
	fnGetVertexAttribPointerv
	fnShaderSource
	fnGetShaderInfoLog
	fnGetProgramInfoLog
	fnBindAttribLocation
	fnGetAttribLocation
	fnGetUniformLocation
	fnIsQuery
	fnGenQueries
	fnQueryCounter
	fnBeginQuery
	fnEndQuery
	fnGetQueryiv
	fnGetInteger64v
	fnGetQueryObjectuiv
	fnGetQueryObjectui64v
	fnGenFramebuffers
	fnIsFramebuffer
	fnBindFramebuffer
	fnCheckFramebufferStatus
	fnFramebufferRenderbuffer
	fnGetFramebufferAttachment
	fnGenRenderbuffers
	fnBindRenderbuffer
	fnRenderbufferStorage
	fnBlitFramebuffer
	fnReadBuffer
	fnReadPixels
	fnMapBufferRange
	fnUnmapBuffer
	fnFenceSync
	fnClientWaitSync
	fnDeleteSync
	numFunctions
)

var functionNames = [numFunctions]string{
	fnFlush:                    "glFlush",
	fnGetString:                "glGetString",
	fnGetStringi:               "glGetStringi",
	fnGetIntegerv:              "glGetIntegerv",
	fnGetIntegeri_v:            "glGetIntegeri_v",
	fnGetBooleanv:              "glGetBooleanv",
	fnGetBooleani_v:            "glGetBooleani_v",
	fnGetFloatv:                "glGetFloatv",
	fnGetVertexAttribiv:        "glGetVertexAttribiv",
	fnIsEnabled:                "glIsEnabled",
	fnIsEnabledi:               "glIsEnabledi",
	fnEnable:                   "glEnable",
	fnDisable:                  "glDisable",
	fnEnablei:                  "glEnablei",
	fnDisablei:                 "glDisablei",
	fnColorMask:                "glColorMask",
	fnColorMaski:               "glColorMaski",
	fnPolygonMode:              "glPolygonMode",
	fnClipControl:              "glClipControl",
	fnPixelStorei:              "glPixelStorei",
	fnBlendEquationSeparate:    "glBlendEquationSeparate",
	fnBlendEquationSeparatei:   "glBlendEquationSeparatei",
	fnBlendFuncSeparate:        "glBlendFuncSeparate",
	fnBlendFuncSeparatei:       "glBlendFuncSeparatei",
	fnIsProgram:                "glIsProgram",
	fnUseProgram:               "glUseProgram",
	fnCreateProgram:            "glCreateProgram",
	fnDeleteProgram:            "glDeleteProgram",
	fnLinkProgram:              "glLinkProgram",
	fnGetProgramiv:             "glGetProgramiv",
	fnCreateShader:             "glCreateShader",
	fnDeleteShader:             "glDeleteShader",
	fnCompileShader:            "glCompileShader",
	fnAttachShader:             "glAttachShader",
	fnGetShaderiv:              "glGetShaderiv",
	fnUniformMatrix4fv:         "glUniformMatrix4fv",
	fnUniform1fv:               "glUniform1fv",
	fnBindVertexArray:          "glBindVertexArray",
	fnGenVertexArrays:          "glGenVertexArrays",
	fnDeleteVertexArrays:       "glDeleteVertexArrays",
	fnBindBuffer:               "glBindBuffer",
	fnGenBuffers:               "glGenBuffers",
	fnDeleteBuffers:            "glDeleteBuffers",
	fnEnableVertexAttribArray:  "glEnableVertexAttribArray",
	fnDisableVertexAttribArray: "glDisableVertexAttribArray",
	fnVertexAttribDivisor:      "glVertexAttribDivisor",
	fnActiveTexture:            "glActiveTexture",
	fnBindTexture:              "glBindTexture",
	fnGenTextures:              "glGenTextures",
	fnDeleteTextures:           "glDeleteTextures",
	fnTexParameteri:            "glTexParameteri",
	fnBindSampler:              "glBindSampler",
	fnDrawElements:             "glDrawElements",
	fnDrawRange:                "glDrawRangeElementsBaseVertex",
	fnBufferData:               "glBufferData",
	fnTexImage2D:               "glTexImage2D",
	fnVertexAttribPointer:      "glVertexAttribPointer",
	fnGetVertexAttribPointerv:  "glGetVertexAttribPointerv",
	fnShaderSource:             "glShaderSource",
	fnGetShaderInfoLog:         "glGetShaderInfoLog",
	fnGetProgramInfoLog:        "glGetProgramInfoLog",
	fnBindAttribLocation:       "glBindAttribLocation",
	fnGetAttribLocation:        "glGetAttribLocation",
	fnGetUniformLocation:       "glGetUniformLocation",
	fnIsQuery:                  "glIsQuery",
	fnGenQueries:               "glGenQueries",
	fnQueryCounter:             "glQueryCounter",
	fnBeginQuery:               "glBeginQuery",
	fnEndQuery:                 "glEndQuery",
	fnGetQueryiv:               "glGetQueryiv",
	fnGetInteger64v:            "glGetInteger64v",
	fnGetQueryObjectuiv:        "glGetQueryObjectuiv",
	fnGetQueryObjectui64v:      "glGetQueryObjectui64v",
	fnGenFramebuffers:          "glGenFramebuffers",
	fnIsFramebuffer:            "glIsFramebuffer",
	fnBindFramebuffer:          "glBindFramebuffer",
	fnCheckFramebufferStatus:   "glCheckFramebufferStatus",
	fnFramebufferRenderbuffer:  "glFramebufferRenderbuffer",
	fnGetFramebufferAttachment: "glGetFramebufferAttachmentParameteriv",
	fnGenRenderbuffers:         "glGenRenderbuffers",
	fnBindRenderbuffer:         "glBindRenderbuffer",
	fnRenderbufferStorage:      "glRenderbufferStorage",
	fnBlitFramebuffer:          "glBlitFramebuffer",
	fnReadBuffer:               "glReadBuffer",
	fnReadPixels:               "glReadPixels",
	fnMapBufferRange:           "glMapBufferRange",
	fnUnmapBuffer:              "glUnmapBuffer",
	fnFenceSync:                "glFenceSync",
	fnClientWaitSync:           "glClientWaitSync",
	fnDeleteSync:               "glDeleteSync",
}
