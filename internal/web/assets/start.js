// Starts the viewer: asks what is to be shown, and runs the program.
'use strict';
(async () => {
	const load = src => new Promise((good, bad) => {
		const script = document.createElement('script');
		Object.assign(script, { src, onload: good, onerror: () => bad(new Error(src + ' does not load')) });
		document.head.append(script);
	});
	const status = document.getElementById('status');
	try {
		let waits = true; // for the viewer, which is built at the first time
		const patience = setInterval(async () => {
			const line = await fetch('building').then(r => r.text()).catch(() => '');
			if (waits && line) status.textContent = line;
		}, 1000);
		const wasm = fetch('viewer.wasm'), script = load('wasm_exec.js');
		const session = await fetch('session').then(r => r.json());
		for (const item of session.items.slice(0, 1)) { // what is shown first comes while the program is compiled
			if (!item.address) item.data = fetch('file/0').then(r => r.ok ? r.arrayBuffer() : null).catch(() => null);
		}
		const answer = await wasm.finally(() => clearInterval(patience));
		waits = false;
		if (!answer.ok) throw new Error(await answer.text());
		const compiled = WebAssembly.compileStreaming(answer);
		iprofFiles.screen();
		const [program] = await Promise.all([compiled, script]);
		fetch('alive').catch(() => { }); // as long as the page is there
		globalThis.iprofSession = session;
		const go = new Go();
		go.env = { HOME: '/home', XDG_CACHE_HOME: '/home', TMPDIR: '/tmp' };
		const ended = go.run(await WebAssembly.instantiate(program, go.importObject));
		await ended;
		status.textContent = 'the viewer has ended; close this tab, or reload it';
	} catch (e) {
		status.textContent = 'the viewer does not start: ' + (e && e.message || e);
	}
})();
