// Ends with 0 if the process of this container or unit answers, with 1 and a sentence if not. The address is /healthz, or what is given: /readyz?role=worker.
const { HOST = '127.0.0.1', PORT = '8080', HEALTH_PORT = '0', ROLES = 'web' } = process.env;
const [path = '/healthz'] = process.argv.slice(2);
const port = ROLES.split(',').includes('web') ? PORT : HEALTH_PORT;
// A server that listens on every address is asked on this machine.
const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '[::1]' : HOST;
try {
  const answer = await fetch(`http://${host}:${port}${path}`, { signal: AbortSignal.timeout(4000) });
  if (!answer.ok) {
    process.stderr.write(`${path} answered ${answer.status}: ${await answer.text()}\n`);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`Nothing answers at ${host}:${port}${path}: ${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
