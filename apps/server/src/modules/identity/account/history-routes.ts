import { rowNumber } from '@portal/contract/row-ids';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { tableFile } from '../../../platform/table-file.ts';
import { deviceOf } from '../logins/devices.ts';
import { type HistoryLine, listHistory, streamHistory } from '../sign-in/sign-in-history.ts';
import { historyPart } from './account-pages.ts';
import { type AccountTools, LINES_A_PAGE, type Query } from './account-tools.ts';
import { authenticationWords } from './authentication-words.ts';

/** Registers `/account/history`: the sign-ins of the login, also as a file. */
export function historyRoutes(app: FastifyInstance, { db, account, answer, timesOf, whose, withPlaces }: AccountTools): void {
  app.get('/account/history', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const asked = (request.query as Query).before ?? '';
    const before = rowNumber(asked);
    const { lines, older } = await listHistory(db.read, whose(session), { before, most: LINES_A_PAGE });
    const part = historyPart({
      times: await timesOf(session),
      lines: await withPlaces(lines),
      newer: before !== null,
      olderThan: older ? lines.at(-1)!.activityId : null,
    });
    return answer({ request, reply, status: 200, session }, part);
  });

  app.get('/account/history.csv', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const file = tableFile(
      'sign-in-history',
      'csv',
      ['at', 'what', 'action', 'address', 'device', 'with'],
      spelledOut(streamHistory(db.read, whose(session))),
    );
    return reply
      .type(file.contentType)
      .header('content-disposition', `attachment; filename="${file.fileName}"`)
      .send(Readable.from(file.chunks));
  });
}

async function* spelledOut(batches: AsyncIterable<HistoryLine[]>) {
  for await (const lines of batches)
    yield lines.map(({ userAgent, amr, ...line }) => ({
      ...line,
      device: deviceOf(userAgent),
      with: amr ? authenticationWords(amr) : null,
    }));
}
