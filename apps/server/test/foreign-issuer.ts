import http from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A provider that is nothing but its description, its keys and what it signs. */
export async function foreignIssuer({ endless = '' } = {}) {
  let sent = 0;
  const pair = await generateKeyPair('ES256', { extractable: true });
  const kid = 'foreign-1';
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' };
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const description = request.url === '/.well-known/openid-configuration';
    if (request.url === endless) {
      const more = (): void => {
        while (!response.destroyed && response.write('"'.repeat(50_000))) sent += 50_000;
        response.once('drain', more);
      };
      more();
      return;
    }
    response.end(JSON.stringify(description ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [jwk] }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const away = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return {
    issuer,
    away,
    sent: () => sent,
    sign: (claims: JWTPayload, typ = 'JWT') => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: issuer, aud: 'portal', iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid, typ })
        .sign(pair.privateKey);
    },
    async [Symbol.asyncDispose]() {
      away();
    },
  };
}
