import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../../root.ts';

/** The smallest possible server: node:http, the driver, one statement, JSON. The cost of the portal's layers is measured against it. */
const pg = createRequire(path.join(root, 'apps/server/package.json'))('pg') as typeof import('pg');
const { DATABASE_URL, PORT, STATEMENT = '', VALUES = '[]' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const statement = { name: 'bare', text: STATEMENT, values: JSON.parse(VALUES) as unknown[] };

http
  .createServer((_request, response) => {
    pool.query(statement).then(
      ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  })
  .listen(Number(PORT), '127.0.0.1');
