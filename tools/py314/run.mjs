// Run a Python program of this repository on CPython 3.14 (Pyodide).
//
//     npm install --no-package-lock --prefix tools/py314
//     node tools/py314/run.mjs tools/py314/check_cases.py comprehensions_inlined
//     CORPUS=/some/folder node tools/py314/run.mjs tools/corpus.py --sample 20 --library /corpus
//
// The repository is /repo, the folder named by CORPUS is /corpus, and Pyodide's own library archive is /lib/python_stdlib.zip.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker } from "node:worker_threads";
import { loadPyodide } from "pyodide";

// Deeply nested programs need more stack than node's main thread has: it ends with "Maximum call stack size exceeded".
const STACK_MB = 256;

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    argv: process.argv.slice(2),
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: 4096 },
  });
  worker.on("exit", (status) => process.exit(status));
  await new Promise(() => {});
}

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: node tools/py314/run.mjs PROGRAM.py [ARGUMENT...]");
  process.exit(2);
}

const python = await loadPyodide({ args: ["-B"] });
python.setStdout({ write: (bytes) => writeSync(1, bytes) }); // a worker's own streams have no descriptors
python.setStderr({ write: (bytes) => writeSync(2, bytes) });
const mount = (folder, place) => {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, place);
};
mount(repository, "/repo");
if (process.env.CORPUS) mount(resolve(process.env.CORPUS), "/corpus");
const archive = createRequire(import.meta.url).resolve("pyodide/python_stdlib.zip");
python.FS.writeFile("/lib/python_stdlib.zip", readFileSync(archive));

python.globals.set("arguments", python.toPy([`/repo/${program}`, ...args]));
// Node would print a line of a megabyte, pyodide's own, with the traceback.
const inPython = (error) => (console.error(error.message), 1);
const status = await python.runPythonAsync(`
import runpy, sys
sys.argv = list(arguments)
sys.path[:0] = ["/repo/src", "/repo/tools"]
sys.setrecursionlimit(5000)
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
    status = 0
except SystemExit as stop:
    status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    if status and not isinstance(stop.code, int):
        print(stop.code, file=sys.stderr)
status
`).catch(inPython);
process.exit(status);
