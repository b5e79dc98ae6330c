import { FailureBanner, Page, read, reading, type ServiceFailure, useAddress, useAnswer, useKit } from '@portal/app-kit';
import { MINUTE_MS } from '@portal/contract/days';
import { lookCommands, lookingGlass } from '@portal/contract/looking-glass/looking-glass';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  Button,
  ButtonRow,
  EmptyState,
  Field,
  FormColumn,
  Icon,
  Link,
  Select,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
  TextInput,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FirstRead } from '../shell/FirstRead.tsx';
import styles from './RdnsCheckPage.module.css';

const commands = {
  route: 'Routes used for an address or prefix',
  exact: 'Routes of exactly this prefix',
  origin: 'Routes originated by an AS number',
};

/** /technical/lookingglass: routes as routers see them. The address holds the question. */
export default function LookingGlassPage() {
  return (
    <Page title="Looking glass" sub="Routes as the registry’s routers see them, with their RPKI state.">
      <FirstRead reads={[read(lookingGlass.listRouters, {})]} fallback={<SkeletonLines lines={4} label="Loading" />}>
        <Form />
      </FirstRead>
    </Page>
  );
}

function Form() {
  const address = useAddress();
  const { rows: routers } = useAnswer(lookingGlass.listRouters, {});
  const command = address.oneOf('command', lookCommands);
  const [fields, setFields] = useState({
    router: address.get('router') ?? routers[0]!.router,
    command: command as string,
    argument: address.get('argument') ?? '',
  });
  const asked = address.get('argument');
  return (
    <Stack gap={16}>
      <Sheet title="Question">
        <form
          onSubmit={event => {
            event.preventDefault();
            if (fields.argument.trim() !== '') address.set({ ...fields, argument: fields.argument.trim() }, { step: true });
          }}
        >
          <FormColumn>
            <Field label="Router">
              <Select
                value={fields.router}
                onChange={event => setFields({ ...fields, router: event.target.value })}
                options={routers.map(({ router, name, location }) => ({ value: router, label: `${name}: ${location}` }))}
              />
            </Field>
            <Field label="Show">
              <Select
                value={fields.command}
                onChange={event => setFields({ ...fields, command: event.target.value })}
                options={lookCommands.map(value => ({ value, label: commands[value] }))}
              />
            </Field>
            <Field
              label={fields.command === 'origin' ? 'AS number' : 'Prefix or address'}
              help={fields.command === 'origin' ? 'Such as AS64500.' : 'Such as 198.18.0.0/19 or 2001:db8::1.'}
            >
              <TextInput
                mono
                value={fields.argument}
                onChange={event => setFields({ ...fields, argument: event.target.value })}
                autoComplete="off"
              />
            </Field>
            <ButtonRow>
              <Button
                type="submit"
                variant="primary"
                refusal={fields.argument.trim() === '' ? { reason: 'Enter a prefix, an address or an AS number' } : null}
              >
                Look up
              </Button>
            </ButtonRow>
          </FormColumn>
        </form>
      </Sheet>
      {asked !== null && asked !== '' && <Found router={address.get('router') ?? routers[0]!.router} command={command} argument={asked} />}
    </Stack>
  );
}

function Found(query: { router: string; command: (typeof lookCommands)[number]; argument: string }) {
  const { call } = useKit();
  const { data, error } = useQuery({ ...reading(call, lookingGlass.lookUp, { query }), staleTime: MINUTE_MS });
  if (error && !data) return <FailureBanner failure={error as ServiceFailure} />;
  if (!data) return <SkeletonLines lines={4} label="Asking the router" />;
  return (
    <Sheet
      title={query.argument}
      meta={
        <span>
          {data.rows.length === 1 ? '1 route' : `${data.rows.length}${data.more ? ' and more' : ''} routes`}, {data.milliseconds} ms
        </span>
      }
      flush
    >
      {data.rows.length === 0 ? (
        <EmptyState title="No route">This source has no route for {query.argument}.</EmptyState>
      ) : (
        <DataTable
          caption={`Routes for ${query.argument}`}
          columns={columns}
          rows={data.rows.map((row, id) => ({ ...row, id: String(id) }))}
          rowId={row => row.id}
          state={{ sort: null, hidden: [], order: [], filters: {}, page: 1 }}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach it */}
      <pre className={styles.raw} tabIndex={0}>
        {`> ${data.asked}\n${data.text}`}
      </pre>
    </Sheet>
  );
}

type RouteRow = {
  id: string;
  prefix: string;
  best: boolean;
  path: number[];
  nextHop: string | null;
  communities: string[];
  rpki: 'valid' | 'invalid' | 'not-found';
};
const columns: Column<RouteRow>[] = [
  {
    id: 'prefix',
    label: 'Prefix',
    cell: row => (
      <>
        <Link href={recordAddress(row.prefix)} className="mono">
          {row.prefix}
        </Link>{' '}
        {row.best && <Icon name="valid" label="Best" />}
      </>
    ),
    text: row => row.prefix,
    fixed: true,
  },
  {
    id: 'path',
    label: 'AS path',
    cell: row => <span className="mono">{row.path.join(' ')}</span>,
    text: row => row.path.join(' '),
    wrap: true,
  },
  { id: 'nextHop', label: 'Next hop', cell: row => <span className="mono">{row.nextHop ?? '–'}</span> },
  { id: 'communities', label: 'Communities', cell: row => <span className="mono">{row.communities.join(' ') || '–'}</span>, wrap: true },
  { id: 'rpki', label: 'RPKI', cell: row => <StateMark state={row.rpki} />, card: 'state' },
];
