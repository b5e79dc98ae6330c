// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ipv4Blocks, ipv4Text } from '../../gallery/example-space.ts';
import { AddressMap } from './AddressMap.tsx';

afterEach(cleanup);

function Map({ onSelect, onOpen }: { onSelect?: (id: string) => void; onOpen?: (id: string) => void }) {
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <>
      <AddressMap
        kind="ipv4"
        cover={{ label: '198.18.0.0/19', sizeLog2: 13 }}
        blocks={ipv4Blocks}
        text={ipv4Text}
        selected={selected}
        onSelect={id => {
          setSelected(id);
          onSelect?.(id);
        }}
        {...(onOpen && { onOpen })}
        describedBy="table"
      />
      <p id="table">The table below lists every block.</p>
    </>
  );
}

const active = () => {
  const id = screen.getByRole('listbox').getAttribute('aria-activedescendant');
  return id ? document.getElementById(id)?.getAttribute('aria-label') : null;
};

describe('the address map by keyboard', () => {
  test('arrow keys move along the address space and between rows', async () => {
    const user = userEvent.setup();
    render(<Map />);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('listbox'));
    await user.keyboard('{Home}{ArrowRight}');
    expect(active()).toBe('198.18.0.0/23, CORE-INFRA, assigned');
    await user.keyboard('{ArrowRight}');
    expect(active()).toContain('198.18.2.0/24');
    await user.keyboard('{ArrowDown}');
    expect(active()).toBe('198.18.4.0/22, ACCESS-A, with customers');
    await user.keyboard('{End}');
    expect(active()).toBe('198.18.31.0/24, free');
    await user.keyboard('{ArrowRight}');
    expect(active()).toBe('198.18.31.0/24, free');
  });

  test('Enter goes into a block and Escape comes back out', async () => {
    const user = userEvent.setup();
    render(<Map />);
    await user.tab();
    await user.keyboard('{Home}{ArrowRight}{Enter}');
    expect(screen.getByRole('listbox').getAttribute('aria-label')).toContain('198.18.0.0/23');
    expect(screen.getByRole('navigation', { name: 'Part of the map' }).textContent).toContain('198.18.0.0/19');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('listbox').getAttribute('aria-label')).toContain('198.18.0.0/19');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  test('Escape at the whole is left to whatever is around the map', async () => {
    const user = userEvent.setup();
    const around = vi.fn();
    document.addEventListener('keydown', around);
    render(<Map />);
    await user.tab();
    await user.keyboard('{Escape}');
    document.removeEventListener('keydown', around);
    expect(around).toHaveBeenCalled();
  });

  test('the page is notified of the block at which the keys stop, not of every block on the way', async () => {
    const user = userEvent.setup({ delay: null });
    const onSelect = vi.fn();
    render(<Map onSelect={onSelect} />);
    await user.tab();
    await user.keyboard('{Home}{ArrowRight}{End}');
    expect(screen.getByRole('option', { selected: true }).getAttribute('aria-label')).toContain('198.18.31.0/24');
    await waitFor(() => expect(onSelect).toHaveBeenCalledExactlyOnceWith('198.18.31.0/24'));
  });
});

describe('the words of the address map', () => {
  test('every block is an option with prefix, name and kind; the scale is in words', () => {
    render(<Map />);
    expect(screen.getAllByRole('option')).toHaveLength(ipv4Blocks.length);
    expect(screen.getByText('1 row = /22, 1 024 addresses')).toBeTruthy();
    expect(screen.getByRole('listbox').getAttribute('aria-describedby')).toContain('table');
  });

  test('the legend counts each kind without counting what holds it', () => {
    render(<Map />);
    const legend = document.querySelector('figcaption')?.textContent ?? '';
    expect(legend).toContain('Free 1\u00a0856');
    expect(legend).toContain('Held 256');
    expect(legend).not.toContain('Delegated');
  });
});
