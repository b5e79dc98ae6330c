import '../src/tokens.css';
import '../src/base.css';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AccountPicker } from '../src/picker/AccountPicker.tsx';
import { AddressMap, type MapBlock } from '../src/map/AddressMap.tsx';
import { AsMap } from '../src/map/AsMap.tsx';
import { ComboBox } from '../src/picker/ComboBox.tsx';
import { CommandPalette } from '../src/picker/CommandPalette.tsx';
import { type Column, DataTable, emptyTableState, type TableState } from '../src/table/DataTable.tsx';
import { ConfirmDialog, Dialog } from '../src/overlay/Dialog.tsx';
import {
  Badge,
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  Chip,
  CopyButton,
  Count,
  createToasts,
  DateText,
  Disclosure,
  EmptyState,
  ErrorSummary,
  Field,
  FieldGroup,
  Footer,
  FormColumn,
  Grid,
  Icon,
  iconNames,
  KeyValueList,
  Link,
  LinkButton,
  Meter,
  Mono,
  PageHead,
  Panel,
  ProgressBar,
  Receipt,
  Refusal,
  ResourceName,
  Row,
  SearchInput,
  Section,
  Segmented,
  Select,
  Sheet,
  Shell,
  SideNav,
  type SideNavGroup,
  SkeletonLines,
  SkeletonRows,
  SkeletonTiles,
  Stack,
  Stat,
  StateMark,
  Steps,
  Switch,
  Tabs,
  TextArea,
  TextInput,
  ToastRegion,
  TopBar,
  TopBarButton,
} from '../src/index.ts';
import { FooterPulse } from '../src/shell/FooterPulse.tsx';
import { Menu, MenuPopover } from '../src/overlay/Menu.tsx';
import { crowdedBlocks, ipv4Blocks, ipv4Lanes, ipv4Text, ipv6Blocks, ipv6Text, rangeBlocks } from './example-space.ts';

const groups: SideNavGroup[] = [
  { items: [{ href: '#home', label: 'Home', icon: 'home' }] },
  {
    label: 'Resources',
    items: [
      {
        href: '#resources',
        label: 'Resources',
        icon: 'resources',
        pages: [
          { href: '#summary', label: 'Summary' },
          { href: '#ipv4', label: 'IPv4', current: true },
          { href: '#ipv6', label: 'IPv6' },
          { href: '#asn', label: 'AS numbers' },
        ],
      },
      { href: '#whois', label: 'Whois', icon: 'whois' },
      { href: '#reverse', label: 'Reverse DNS', icon: 'reverse', count: 3 },
      { href: '#routes', label: 'Routes and RPKI', icon: 'route', count: 1 },
      { href: '#transfers', label: 'Transfers', icon: 'transfer' },
      { href: '#keys', label: 'API keys', icon: 'key' },
      { href: '#tasks', label: 'Tasks', icon: 'tasks' },
    ],
  },
  {
    label: 'Membership',
    items: [
      { href: '#contacts', label: 'Account contacts', icon: 'contacts' },
      { href: '#requests', label: 'Access requests', icon: 'inbox', count: 2 },
      { href: '#billing', label: 'Billing', icon: 'billing' },
    ],
  },
];

const toasts = createToasts();

function Buttons() {
  return (
    <Sheet title="Buttons" meta="one primary a view">
      <Stack>
        <Row wrap>
          <Button variant="primary">Primary</Button>
          <Button variant="commit">Publish 3 changes</Button>
          <Button>Secondary</Button>
          <Button variant="quiet">Quiet</Button>
          <Button variant="danger">Delete object</Button>
          <Button icon="more" aria-label="More" />
          <Button variant="primary" busy>
            Publishing
          </Button>
          <LinkButton href="#add" icon="plus">
            Add route
          </LinkButton>
        </Row>
        <Row wrap>
          <Button size="s">Small</Button>
          <Button size="s" icon="download">
            Export
          </Button>
          <Button refusal={{ reason: 'Needs a multifactor sign-in.', ask: <Link href="#mfa">Set it up</Link> }}>Appoint proxy</Button>
          <Button
            size="s"
            refusal={{ reason: 'Only corporate contacts may approve.', ask: <Link href="#ask">Ask Corin</Link> }}
            refusalIn="note"
          >
            Approve
          </Button>
        </Row>
        <Switches />
      </Stack>
    </Sheet>
  );
}

function Switches() {
  const [view, setView] = useState<'form' | 'text'>('form');
  return (
    <Row wrap>
      <Segmented
        label="View"
        value={view}
        onChange={setView}
        options={[
          { value: 'form', label: 'Form' },
          { value: 'text', label: 'Text' },
        ]}
      />
      <Chip pressed>Routed</Chip>
      <Chip pressed={false}>Reverse-delegated</Chip>
      <Chip value="any">State</Chip>
      <Switch defaultChecked>ROA</Switch>
      <Switch>Whois</Switch>
      <Checkbox defaultChecked>Also in whois</Checkbox>
      <Checkbox mixed>Some zones</Checkbox>
    </Row>
  );
}

function Fields() {
  const [words, setWords] = useState('northwind');
  const [contact, setContact] = useState('');
  return (
    <Sheet title="Fields">
      <Stack gap={16}>
        <ErrorSummary errors={[]} />
        <Grid columns={2}>
          <Field label="Netname" help="A to Z, 0 to 9, hyphen; up to 80">
            <TextInput mono defaultValue="CUST-NORTHWIND" />
          </Field>
          <Field label="Netname" error="No spaces. Did you mean CUST-NORTHWIND?">
            <TextInput mono defaultValue="cust northwind" />
          </Field>
          <Field label="Status">
            <Select options={['ASSIGNED NON-PORTABLE', 'ALLOCATED PORTABLE']} />
          </Field>
          <ComboBox
            label="Technical contact"
            optional
            value={contact}
            onChange={setContact}
            items={[
              { id: 'TI4-EX', text: 'Tess Ito', note: 'TI4-EX' },
              { id: 'NT9-EX', text: 'Network team', note: 'NT9-EX' },
            ]}
            placeholder="Name or handle"
          />
          <Field label="Maintainer" help="Set by the account. Corin can change it">
            <TextInput mono readOnly defaultValue="MAINT-EXAMPLE-AU" />
          </Field>
          <Field label="Remarks" optional help="Shown in whois">
            <TextArea mono rows={2} defaultValue="Peering: peering@example-au.example" />
          </Field>
          <FieldGroup legend="Notify by" help="At least one">
            <Checkbox defaultChecked>E-mail</Checkbox>
            <Checkbox help="Needs a verified number">SMS</Checkbox>
          </FieldGroup>
          <FormColumn>
            <SearchInput label="Filter blocks" value={words} onChange={setWords} />
            <ButtonRow>
              <Button variant="primary">Save draft</Button>
              <Button>Cancel</Button>
            </ButtonRow>
          </FormColumn>
        </Grid>
      </Stack>
    </Sheet>
  );
}

function Marks() {
  return (
    <Sheet title="Badges and names">
      <Stack>
        <Row wrap>
          <Badge kind="ipv4">IPv4</Badge>
          <Badge kind="ipv6">IPv6</Badge>
          <Badge kind="asn">AS</Badge>
          <StateMark state="valid" />
          <StateMark state="invalid" />
          <StateMark state="not-found" />
          <StateMark state="warning">1 lame</StateMark>
          <StateMark state="pending" />
          <StateMark state="closed" />
          <Badge kind="line">Allocated portable</Badge>
          <Badge kind="line">Regular member</Badge>
        </Row>
        <Row wrap gap={24}>
          <ResourceName kind="ipv4" text="198.18.12.0/23" />
          <ResourceName kind="ipv6" text="2001:db8:a000::/36" />
          <ResourceName kind="asn" text="AS64500" href="#as" />
          <ResourceName kind="ipv4" text="198.18.12.0 - 198.18.13.255" />
          <Meter share={0.72} />
          <Meter share={0.31} kind="ipv6" />
          <CopyButton text="198.18.12.0/23" label="Copy prefix" />
        </Row>
        <p>
          The route is <StateMark state="valid" plain /> since{' '}
          <DateText value="2026-11-20T09:31:07+10:00" format={{ timeZone: 'Australia/Brisbane', hourCycle: 'h23' }} />, seen by{' '}
          <Count value={1204771} unit="addresses" short="18 /16" /> under <Mono>MAINT-EXAMPLE-AU</Mono>.
        </p>
        <Row wrap gap={12}>
          {iconNames.map(name => (
            <Icon key={name} name={name} />
          ))}
        </Row>
      </Stack>
    </Sheet>
  );
}

function Messages() {
  const [shown, setShown] = useState(true);
  return (
    <Sheet
      title="Messages"
      actions={
        <Button size="s" onClick={() => toasts.show({ text: '256 zones delegated.', action: <Link href="#receipt">See receipt</Link> })}>
          Show a toast
        </Button>
      }
    >
      <Stack>
        {shown && (
          <Banner
            kind="error"
            title="The object was not written."
            traceId="4bf92f3577b34da6a3ce929d0e0e4736"
            onDismiss={() => setShown(false)}
          >
            mnt-by names a maintainer you do not control. Ask Corin, or choose MAINT-EXAMPLE-AU.
          </Banner>
        )}
        <Banner kind="warning">
          Your sign-in ends in <b>58 s</b>. What you typed is kept. <Link href="#stay">Stay signed in</Link>
        </Banner>
        <Banner kind="pending">
          <b>3 changes not yet published.</b> <Link href="#review">Review them</Link>
        </Banner>
        <Banner kind="success">The route is published everywhere.</Banner>
        <Banner>Some features are for corporate contacts. Corin can help.</Banner>
        <Refusal rule="Only corporate contacts may appoint a proxy." help="Corin and Bill are corporate contacts of EXAMPLE-AU.">
          <Button size="s">Ask Corin</Button>
        </Refusal>
        <ProgressBar
          label="Changing maintainer on 1 204 objects"
          done={812}
          refused={3}
          total={1204}
          words="812 done, 3 refused, 41 a second, 10 s left"
        />
        <ProgressBar label="Counting objects" done={0} />
        <Grid columns={2}>
          <Receipt
            lines={[
              { place: 'Ledger', what: 'entry 48 213', state: 'done', time: '0.1 s' },
              { place: 'Whois, RDAP', what: 'serial 1 204 771', state: 'done', time: '0.4 s' },
              { place: 'Reverse DNS', what: 'server refused the zone', state: 'refused', time: '2.0 s' },
              { place: 'RPKI', what: 'manifest 3 118, 2 of 3 mirrors', state: 'running', time: '18 s' },
              { place: 'E-mail', what: 'to Corin and Tess', state: 'waiting', time: 'waits' },
            ]}
          />
          <EmptyState
            title="No customers recorded yet"
            action={
              <Button size="s" icon="plus">
                Assign the first block
              </Button>
            }
          >
            What you assign to customers is kept here, public or private.
          </EmptyState>
        </Grid>
        <Steps steps={['Edit', 'Review', 'Published']} current={1} />
        <Disclosure summary="What is a lame zone">A zone whose name server does not answer for it.</Disclosure>
      </Stack>
    </Sheet>
  );
}

type BlockRow = {
  prefix: string;
  netname: string;
  route: 'valid' | 'invalid' | 'not-found';
  addresses: number;
  used: number;
  zones: string;
  registered: string;
  look?: 'gap' | 'pending' | 'group';
};

const blockRows: BlockRow[] = [
  {
    prefix: '198.18.0.0/19, allocated portable',
    netname: '',
    route: 'valid',
    addresses: 0,
    used: 0,
    zones: '',
    registered: '',
    look: 'group',
  },
  { prefix: '198.18.0.0/23', netname: 'CORE-INFRA', route: 'valid', addresses: 512, used: 1, zones: '2/2', registered: '2021-03-02' },
  { prefix: '198.18.2.0/24', netname: 'POP-SYD-1', route: 'valid', addresses: 256, used: 0.88, zones: '1/1', registered: '2021-03-02' },
  { prefix: '198.18.4.0/22', netname: 'ACCESS-A', route: 'not-found', addresses: 1024, used: 0.96, zones: '4/4', registered: '2021-06-14' },
  { prefix: '198.18.10.0/23', netname: 'Free', route: 'valid', addresses: 512, used: 0, zones: '', registered: '', look: 'gap' },
  { prefix: '198.18.12.0/23', netname: 'CUST-NORTHWIND', route: 'valid', addresses: 512, used: 1, zones: '2/2', registered: '2024-08-05' },
  { prefix: '198.18.28.0/24', netname: 'CUST-FINCH', route: 'valid', addresses: 256, used: 0, zones: '', registered: '', look: 'pending' },
  { prefix: '198.18.30.0/24', netname: 'LAB', route: 'invalid', addresses: 256, used: 0.2, zones: '1/1', registered: '2025-09-30' },
];

const blockColumns: Column<BlockRow>[] = [
  {
    id: 'prefix',
    label: 'Prefix',
    cell: row =>
      row.look === 'group' ? row.prefix : <ResourceName kind="ipv4" text={row.prefix} href={row.look ? undefined : '#block'} />,
    text: row => row.prefix,
    sortable: true,
    card: 'key',
    fixed: true,
  },
  { id: 'netname', label: 'Netname', cell: row => row.netname, look: 'mono' },
  {
    id: 'route',
    label: 'Route',
    cell: row =>
      row.look === 'gap' ? (
        <Button size="s">Assign</Button>
      ) : (
        <StateMark state={row.look === 'pending' ? 'pending' : row.route}>
          {row.look === 'pending' ? 'Not yet written' : undefined}
        </StateMark>
      ),
    card: 'state',
  },
  {
    id: 'addresses',
    label: 'Addresses',
    cell: row => <Count value={row.addresses} />,
    text: row => String(row.addresses),
    align: 'end',
    sortable: true,
  },
  { id: 'used', label: 'Used', cell: row => (row.look ? null : <Meter share={row.used} />) },
  { id: 'zones', label: 'Reverse zones', cell: row => row.zones },
  { id: 'registered', label: 'Registered', cell: row => row.registered, look: 'quiet', card: 'none', sortable: true },
];

const blockId = (row: BlockRow) => row.prefix;
const blockLook = (row: BlockRow) => row.look;
const manyRows: BlockRow[] = Array.from({ length: 2000 }, (_, index) => ({
  prefix: `10.${index >> 8}.${index & 255}.0/24`,
  netname: `CUST-${index}`,
  route: 'valid',
  addresses: 256,
  used: (index % 100) / 100,
  zones: '1/1',
  registered: '2026-01-01',
}));

function Tables() {
  const [state, setState] = useState<TableState>({ ...emptyTableState, sort: { column: 'prefix', descending: false } });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['198.18.12.0/23']));
  const [filter, setFilter] = useState('');
  const [many, setMany] = useState(emptyTableState);
  return (
    <Stack gap={16}>
      <Sheet flush aria-label="Blocks">
        <DataTable
          caption="Blocks in 198.18.0.0/19"
          columns={blockColumns}
          rows={blockRows}
          rowId={blockId}
          rowLook={blockLook}
          state={state}
          onStateChange={setState}
          total={8960}
          countLabel="19 blocks"
          tools={
            <>
              <SearchInput label="Filter blocks" value={filter} onChange={setFilter} />
              <Chip value="any">State</Chip>
            </>
          }
          exportMenu={
            <Menu
              label="Export"
              icon="download"
              variant="quiet"
              groups={[
                {
                  items: [
                    { id: 'csv', label: 'CSV' },
                    { id: 'json', label: 'JSON' },
                  ],
                },
              ]}
              onAct={id => toasts.show({ text: `Exported as ${id.toUpperCase()}.` })}
            >
              Export
            </Menu>
          }
          selection={{
            selected,
            onChange: setSelected,
            actions: (
              <>
                <Button size="s">Add reverse DNS</Button>
                <Button size="s">Change maintainer</Button>
              </>
            ),
          }}
          rowActions={row => (row.look ? null : <Button variant="quiet" size="s" icon="edit" aria-label={`Edit ${row.prefix}`} />)}
        />
      </Sheet>
      <Grid columns={2}>
        <Sheet title="Loading" flush>
          <DataTable
            caption="Loading blocks"
            columns={blockColumns.slice(0, 4)}
            rows={[]}
            rowId={blockId}
            state={emptyTableState}
            onStateChange={setState}
            loading
            pageSize={4}
          />
        </Sheet>
        <Sheet title="Empty" flush>
          <DataTable
            caption="No blocks"
            columns={blockColumns.slice(0, 4)}
            rows={[]}
            rowId={blockId}
            state={emptyTableState}
            onStateChange={setState}
            empty={<EmptyState title="No blocks match">Take away a filter to see more.</EmptyState>}
          />
        </Sheet>
      </Grid>
      <Sheet title="2 000 rows" flush>
        <DataTable
          caption="Many blocks"
          columns={blockColumns}
          rows={manyRows}
          rowId={blockId}
          state={many}
          onStateChange={setMany}
          pageSize={2000}
        />
      </Sheet>
    </Stack>
  );
}

const layers = [
  { id: 'routed', label: 'Routed' },
  { id: 'roa', label: 'ROA-covered' },
  { id: 'reverse', label: 'Reverse-delegated' },
];

function Maps() {
  const [selected, setSelected] = useState('198.18.12.0/23');
  const [shown, setShown] = useState(['routed', 'roa', 'reverse']);
  const lanes = useMemo(() => ipv4Lanes.filter(lane => shown.includes(lane.id)), [shown]);
  return (
    <Stack gap={16}>
      <Grid columns="split">
        <Sheet title={<ResourceName kind="ipv4" text="198.18.0.0/19" />} meta={<Badge kind="line">Allocated portable</Badge>}>
          <AddressMap
            kind="ipv4"
            cover={{ label: '198.18.0.0/19', sizeLog2: 13 }}
            blocks={ipv4Blocks}
            text={ipv4Text}
            lanes={lanes}
            selected={selected}
            onSelect={setSelected}
            tools={layers.map(layer => (
              <Chip
                key={layer.id}
                pressed={shown.includes(layer.id)}
                onClick={() => setShown(shown.includes(layer.id) ? shown.filter(id => id !== layer.id) : [...shown, layer.id])}
              >
                {layer.label}
              </Chip>
            ))}
          />
        </Sheet>
        <Panel
          title={<ResourceName kind="ipv4" text={selected} />}
          sub={<Mono>198.18.12.0 – 198.18.13.255</Mono>}
          actions={<CopyButton text={selected} label="Copy prefix" />}
          footer={
            <>
              <Button size="s">Edit whois</Button>
              <Button size="s">Reverse DNS</Button>
            </>
          }
        >
          <KeyValueList
            items={[
              { key: 'Addresses', value: 512 },
              { key: 'Netname', value: <Mono>CUST-NORTHWIND</Mono> },
              { key: 'Status', value: 'Assigned non-portable' },
              { key: 'Origin', value: <ResourceName kind="asn" text="AS64500" /> },
              { key: 'Route', value: <StateMark state="valid" /> },
            ]}
          />
        </Panel>
      </Grid>
      <Grid columns={2}>
        <Sheet title="IPv6">
          <OwnMap kind="ipv6" label="2001:db8::/32" sizeLog2={96} blocks={ipv6Blocks} />
        </Sheet>
        <Sheet title="A range">
          <OwnMap kind="ipv4" label="198.18.0.0 – 198.18.2.255" sizeLog2={10} blocks={rangeBlocks} />
        </Sheet>
      </Grid>
      <Sheet title="5 000 blocks">
        <OwnMap kind="ipv4" label="198.18.0.0/11" sizeLog2={21} blocks={crowdedBlocks} />
      </Sheet>
      <Sheet title="AS numbers">
        <AsMap
          selected="b"
          numbers={[
            { id: 'a', label: 'AS64500', name: 'EXAMPLE-AU' },
            { id: 'b', label: 'AS64501', name: 'EXAMPLE-NZ' },
            { id: 'c', label: 'AS4200000001', state: 'held' },
          ]}
        />
      </Sheet>
    </Stack>
  );
}

function OwnMap({ kind, label, sizeLog2, blocks }: { kind: 'ipv4' | 'ipv6'; label: string; sizeLog2: number; blocks: MapBlock[] }) {
  return <AddressMap kind={kind} cover={{ label, sizeLog2 }} blocks={blocks} text={kind === 'ipv4' ? ipv4Text : ipv6Text} />;
}

function Overlays({ onPalette }: { onPalette: () => void }) {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  return (
    <Sheet title="Overlays">
      <Row wrap>
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Delete ROA</Button>
        <Button onClick={onPalette}>Open palette</Button>
        <Menu
          label="More acts"
          icon="more"
          size="m"
          groups={[
            {
              label: 'This block',
              items: [
                { id: 'edit', label: 'Edit whois', icon: 'edit' },
                { id: 'zone', label: 'Reverse DNS', icon: 'reverse', note: '2 zones' },
              ],
            },
            {
              items: [
                { id: 'transfer', label: 'Transfer', icon: 'transfer', refusal: 'Needs a multifactor sign-in' },
                { id: 'return', label: 'Return to the registry', icon: 'trash', danger: true },
              ],
            },
          ]}
          onAct={id => toasts.show({ text: `Chosen: ${id}` })}
        />
      </Row>
      <Dialog
        open={open === 'dialog'}
        onClose={() => setOpen(null)}
        title="Invite a contact"
        footer={<Button variant="primary">Send invitation</Button>}
      >
        <Field label="E-mail" help="They get a link that holds for 7 days">
          <TextInput type="email" />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={() => setOpen(null)}
        title="Delete ROA for 198.18.0.0/20"
        act="Delete ROA"
        onAct={() => setOpen(null)}
        typed={{ label: 'Type the prefix to confirm', text: '198.18.0.0/20' }}
      >
        328 peers now see this announcement as valid. Without the ROA it becomes not found.
      </ConfirmDialog>
    </Sheet>
  );
}

function Shapes(): ReactNode {
  return (
    <Stack gap={16}>
      <Grid columns={3}>
        <Sheet title="IPv4">
          <Stat value="8 960" unit="addresses, 35 × /24" />
        </Sheet>
        <Sheet title="Waiting" flush>
          <SkeletonRows rows={3} />
        </Sheet>
        <Sheet title="Words on their way">
          <SkeletonLines />
        </Sheet>
      </Grid>
      <SkeletonTiles tiles={3} height={96} />
      <Panel pending title="Before you publish" footer={<Button variant="commit">Publish 1 change</Button>} onClose={() => undefined}>
        <KeyValueList
          items={[
            {
              key: <Mono>198.18.30.0/24</Mono>,
              value: (
                <>
                  <StateMark state="invalid" plain /> → <StateMark state="valid" plain />
                </>
              ),
            },
          ]}
        />
      </Panel>
      <Section beside title="How the registry writes to you" words="Where the registry reaches you.">
        <Sheet>
          <Switch defaultChecked>E-mail</Switch>
        </Sheet>
      </Section>
    </Stack>
  );
}

function Gallery() {
  const [menuOpen, setMenuOpen] = useState(false);
  const [palette, setPalette] = useState(false);
  return (
    <>
      <Shell
        menuOpen={menuOpen}
        onMenuClose={() => setMenuOpen(false)}
        top={<Top menuOpen={menuOpen} onMenu={() => setMenuOpen(true)} onPalette={() => setPalette(true)} />}
        side={<SideNav label="MyRegistry" groups={groups} />}
        footer={<Foot />}
      >
        <Head />
        <Stack gap={16}>
          <Maps />
          <Tables />
          <Buttons />
          <Marks />
          <Fields />
          <Messages />
          <Shapes />
          <Overlays onPalette={() => setPalette(true)} />
        </Stack>
      </Shell>
      <Palette open={palette} onClose={() => setPalette(false)} />
      <ToastRegion toasts={toasts} />
    </>
  );
}

function Top({ menuOpen, onMenu, onPalette }: { menuOpen: boolean; onMenu: () => void; onPalette: () => void }) {
  const account = useRef<HTMLButtonElement>(null);
  const person = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<'account' | 'person' | null>(null);
  return (
    <>
      <TopBar
        name="MyRegistry"
        href="#home"
        menuOpen={menuOpen}
        onMenu={onMenu}
        find={{ label: 'Find a prefix, AS number, object, invoice', keys: 'Ctrl K', onOpen: onPalette }}
        quick={[
          { href: '#whois', label: 'Whois' },
          { href: '#status', label: 'Status' },
          { href: '#help', label: 'Help' },
        ]}
        who={
          <>
            <TopBarButton
              ref={account}
              icon="building"
              words="EXAMPLE-AU"
              storeWords
              opens="dialog"
              aria-label="Member account EXAMPLE-AU, change"
              onClick={() => setOpened('account')}
            />
            <TopBarButton
              ref={person}
              icon="shield"
              secure
              words="Hello, Corin"
              note="Corporate · 2FA"
              onClick={() => setOpened('person')}
            />
          </>
        }
      />
      <AccountPicker
        triggerRef={account}
        open={opened === 'account'}
        onOpenChange={open => setOpened(open ? 'account' : null)}
        current="EXAMPLE-AU"
        accounts={[
          { accountName: 'EXAMPLE-AU', organisation: 'Example Networks Pty Ltd', note: 'Corporate' },
          { accountName: 'NORTHWIND-NZ', organisation: 'Northwind Freight', note: 'Technical' },
        ]}
        onPick={name => toasts.show({ text: `Now acting for ${name}.` })}
      />
      <MenuPopover
        triggerRef={person}
        open={opened === 'person'}
        onOpenChange={open => setOpened(open ? 'person' : null)}
        label="Corin"
        groups={[
          {
            items: [
              { id: 'profile', label: 'Profile', icon: 'user' },
              { id: 'out', label: 'Sign out', icon: 'sign-out' },
            ],
          },
        ]}
        onAct={id => toasts.show({ text: id })}
      />
    </>
  );
}

function Foot() {
  const turn = () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  };
  return (
    <Footer mark="Example Registry" pulse={<FooterPulse state="working">All services work, 09:42</FooterPulse>}>
      <Link href="#terms">Terms</Link>
      <Link href="#privacy">Privacy</Link>
      <Button variant="quiet" size="s" icon="edit" onClick={turn}>
        Theme
      </Button>
      © 2026 Example Registry
    </Footer>
  );
}

const Head = () => (
  <>
    <PageHead
      title="Parts"
      sub="Every part and state. Ink is what the ledger records; magenta is what you are about to change."
      breadcrumb={<Breadcrumb items={[{ label: 'Resources', href: '#resources' }, { label: 'IPv4' }]} />}
      actions={
        <>
          <Button icon="download">Export</Button>
          <Button variant="primary" icon="plus">
            Add assignment
          </Button>
        </>
      }
    />
    <Tabs
      label="Example tabs"
      items={[
        { href: '#routes', label: 'Routes', count: 10, current: true },
        { href: '#suggestions', label: 'Suggestions', count: 3 },
        { href: '#requests', label: 'Requests' },
      ]}
    />
  </>
);

function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  return (
    <CommandPalette
      open={open}
      onClose={onClose}
      onSearch={setTyped}
      groups={[
        {
          label: 'Pages',
          items: [
            { id: 'p1', text: 'IPv4', icon: 'resources' },
            { id: 'p2', text: 'Billing', icon: 'billing', words: 'invoice payment' },
          ],
        },
        {
          label: 'Actions',
          items: [
            { id: 'a1', text: 'Create route', icon: 'plus' },
            { id: 'a2', text: 'Query whois', icon: 'search' },
          ],
        },
      ]}
      recent={[{ id: 'r1', text: 'AS64500', kind: 'asn', note: 'EXAMPLE-AU' }]}
      found={
        typed.startsWith('198')
          ? [
              {
                label: 'Address space',
                items: [
                  { id: 'f1', text: '198.18.12.0/23', kind: 'ipv4', note: 'CUST-NORTHWIND' },
                  { id: 'f2', text: '198.18.16.0/21', kind: 'ipv4', note: 'CGN-PUBLIC' },
                ],
              },
            ]
          : []
      }
      onPick={item => toasts.show({ text: item.text })}
    />
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Gallery />);
