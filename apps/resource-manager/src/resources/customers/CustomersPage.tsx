import { Page, read, useAccount, useAddress, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { type Customer, whoisCustomers } from '@portal/contract/customers/customers';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Registration, resources } from '@portal/contract/resources/resources';
import { Badge, Button, DateText, EmptyState, formatCount, LinkButton, ResourceName, Row, SearchInput, Sheet, Tabs } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { gateOf } from '../../shell/account-gate.ts';
import { amountOf, plural } from '../../shell/amounts.ts';
import { AssignmentForm, EditAssignment } from './AssignmentForm.tsx';
import { customersPath as home } from './register-address.ts';
import { AssignmentImport } from './AssignmentImport.tsx';
import { EditCustomer, NewCustomer } from './CustomerForm.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';

const title = 'Customer management';
const pageSize = 50;
const views = ['ipv4', 'ipv6', 'customers'] as const;

/** /resources/customers/customer_management: assignments by customer; `?add=yes`, `?edit=ID`, `?import=yes`, `?customer=NAME` open a form. */
export default function CustomersPage() {
  const account = useAccount();
  const gate = account.asStaff ? null : gateOf('regular-or-non-member', account);
  if (!gate) return <CustomerManagement />;
  return (
    <Page title={title}>
      <Sheet aria-label={title}>
        <p>{gate}</p>
      </Sheet>
    </Page>
  );
}

function CustomerManagement() {
  const address = useAddress();
  const refusal = useRefusal(whoisCustomers.addAssignment);
  const edited = address.get('edit');
  const adds = address.get('add') !== null;
  const imports = address.get('import') !== null;
  if (adds || imports || edited !== null)
    return (
      <Page
        title={adds ? 'New assignment' : imports ? 'Import assignments' : 'Change an assignment'}
        breadcrumb={<ResourcesBreadcrumb page={title} />}
        sub={adds ? 'Public assignments get a whois object immediately. Only you and the registry see private ones.' : undefined}
      >
        <AccountNote />
        {adds ? (
          <AssignmentForm
            key={`${address.get('within')} ${address.get('range')} ${address.get('for')}`}
            customer={address.get('for')}
            within={address.get('within')}
            range={address.get('range')}
          />
        ) : imports ? (
          <AssignmentImport />
        ) : (
          <EditAssignment key={edited} assignmentId={edited ?? ''} />
        )}
      </Page>
    );
  const customer = address.get('customer');
  if (customer !== null)
    return (
      <Page
        title={customer === '' ? 'New customer' : customer}
        breadcrumb={<ResourcesBreadcrumb page={title} />}
        sub="Customer details and assignments."
      >
        <AccountNote />
        {customer === '' ? <NewCustomer /> : <EditCustomer key={customer} name={customer} />}
      </Page>
    );
  const view = address.oneOf('view', views);
  return (
    <Page
      title={title}
      breadcrumb={<ResourcesBreadcrumb page={title} />}
      sub="Your customers and their assignments."
      actions={
        <Row gap={8} wrap>
          <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes`)}>
            New assignment
          </Button>
          <Button refusal={refusal} onClick={() => address.go(`${home}?customer=`)}>
            New customer
          </Button>
          <Button refusal={refusal} onClick={() => address.go(`${home}?import=yes`)}>
            Import CSV
          </Button>
        </Row>
      }
    >
      <AccountNote />
      <Tabs
        label="Views of the register"
        items={[
          { href: home, label: 'IPv4 assignments', current: view === 'ipv4' },
          { href: `${home}?view=ipv6`, label: 'IPv6 assignments', current: view === 'ipv6' },
          { href: `${home}?view=customers`, label: 'Customers', current: view === 'customers' },
        ]}
      />
      <Sheet flush aria-label={title}>
        {view === 'customers' ? <Customers /> : <Assignments key={view} kind={view} />}
      </Sheet>
    </Page>
  );
}

const columnsOf = (kind: 'ipv4' | 'ipv6'): Column<Registration>[] => [
  {
    id: 'resource',
    label: kind === 'ipv4' ? 'Prefix or range' : 'Prefix',
    cell: row => <ResourceName kind={kind} text={row.resource} href={recordAddress(row.resource)} strong />,
    text: row => row.resource,
    fixed: true,
  },
  { id: 'netname', label: 'Netname', cell: row => <span className="mono nw">{row.netname}</span> },
  { id: 'customer', label: 'Customer', cell: row => row.customer, card: 'wide' },
  {
    id: 'visibility',
    label: 'Visibility',
    cell: row => (row.visibility === 'private' ? <Badge icon="lock">Private</Badge> : <Badge kind="line">Public</Badge>),
    card: 'state',
  },
  { id: 'size', label: 'Amount', cell: row => <span className="nw">{amountOf(kind, BigInt(row.size))}</span>, align: 'end' },
  {
    id: 'updatedAt',
    label: 'Last changed',
    cell: row => row.updatedAt && <DateText value={row.updatedAt} shape="date" />,
    look: 'quiet',
  },
];
const columnSets = { ipv4: columnsOf('ipv4'), ipv6: columnsOf('ipv6') };

function useAssignmentTable(kind: 'ipv4' | 'ipv6') {
  const account = useAccount().accountName;
  const table = useTablePlace({ id: `customers.${kind}`, sorts: ['resource'], filters: ['q'] });
  return {
    table,
    input: {
      account,
      query: { kind, q: table.filter('q'), free: 'no' as const, offset: (table.state.page - 1) * pageSize, limit: pageSize },
    },
  };
}

function Assignments({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const { input } = useAssignmentTable(kind);
  return (
    <FirstRead reads={[read(resources.listRegistrations, input)]} fallback={<TableSkeleton />}>
      <FoundAssignments kind={kind} />
    </FirstRead>
  );
}

function FoundAssignments({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const address = useAddress();
  const { table, input } = useAssignmentTable(kind);
  const { answer, stale } = useSteadyAnswer(resources.listRegistrations, input);
  const filtered = table.filter('q') !== '';
  return (
    <DataTable
      caption={`Assignments of ${input.account}`}
      columns={columnSets[kind]}
      rows={answer.rows}
      rowId={row => row.resource}
      rowLabel={row => row.resource}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => row.registrationId && address.go(`${home}?edit=${row.registrationId}`)}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {plural(answer.total, 'assignment', 'assignments')}
        </span>
      }
      tools={
        <SearchInput
          label="Find an assignment"
          placeholder="Prefix, name or customer"
          value={table.filter('q')}
          onChange={q => table.setFilters({ q })}
        />
      }
      empty={
        <EmptyState
          title={filtered ? 'No matches' : 'No assignments yet'}
          action={
            filtered ? (
              <Button onClick={() => table.setFilters({ q: null })}>Clear the filter</Button>
            ) : (
              <LinkButton href={`${home}?add=yes`}>Register the first</LinkButton>
            )
          }
        >
          {filtered ? 'No assignment matches by range, netname or customer.' : 'Assignments to customers appear here.'}
        </EmptyState>
      }
    />
  );
}

const customerColumns: Column<Customer>[] = [
  {
    id: 'customer',
    label: 'Customer',
    cell: row => (row.customer === '' ? <span className="quiet">none</span> : row.customer),
    fixed: true,
  },
  { id: 'economies', label: 'Economy', cell: row => row.economies.join(', ') },
  { id: 'assignments', label: 'Assignments', cell: row => formatCount(row.assignments), align: 'end' },
  { id: 'publicOnes', label: 'Public', cell: row => formatCount(row.publicOnes), align: 'end' },
  { id: 'ipv4', label: 'IPv4 addresses', cell: row => (row.ipv4 === '0' ? '' : amountOf('ipv4', BigInt(row.ipv4))), align: 'end' },
  { id: 'ipv6', label: 'IPv6', cell: row => (row.ipv6 === '0' ? '' : amountOf('ipv6', BigInt(row.ipv6))), align: 'end' },
  { id: 'updatedAt', label: 'Last changed', cell: row => <DateText value={row.updatedAt} shape="date" />, look: 'quiet' },
];

function useCustomerTable() {
  const account = useAccount().accountName;
  const table = useTablePlace({ id: 'customers.names', sorts: ['customer'], filters: ['q'] });
  return { table, input: { account, query: { q: table.filter('q'), offset: (table.state.page - 1) * pageSize, limit: pageSize } } };
}

function Customers() {
  const { input } = useCustomerTable();
  return (
    <FirstRead reads={[read(whoisCustomers.listCustomers, input)]} fallback={<TableSkeleton />}>
      <FoundCustomers />
    </FirstRead>
  );
}

function FoundCustomers() {
  const address = useAddress();
  const { table, input } = useCustomerTable();
  const { answer, stale } = useSteadyAnswer(whoisCustomers.listCustomers, input);
  return (
    <DataTable
      caption={`Customers of ${input.account}`}
      columns={customerColumns}
      rows={answer.rows}
      rowId={row => row.customer || 'none'}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => row.customer !== '' && address.go(`${home}?${new URLSearchParams({ customer: row.customer })}`)}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {plural(answer.total, 'customer', 'customers')}
        </span>
      }
      tools={
        <SearchInput
          label="Find a customer"
          placeholder="Customer, name or prefix"
          value={table.filter('q')}
          onChange={q => table.setFilters({ q })}
        />
      }
      empty={<EmptyState title="No customers">Customers appear here once you add them or assign space to them.</EmptyState>}
    />
  );
}
