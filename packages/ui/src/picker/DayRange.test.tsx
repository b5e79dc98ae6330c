import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DayRange } from './DayRange.tsx';

afterEach(cleanup);
const change = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('a date counts once it is complete, and moves the other one if necessary', () => {
  const onChange = vi.fn();
  render(<DayRange from="2026-10-01" to="2026-10-31" onChange={onChange} />);
  change('To', '0202-10-01');
  expect(onChange).not.toHaveBeenCalled();
  change('From', '2026-11-05');
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-05', to: '2026-11-05' });
  change('To', '2026-09-01');
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-09-01', to: '2026-09-01' });
  change('From', '');
  expect(onChange).toHaveBeenLastCalledWith({ from: null, to: '2026-10-31' });
});

test('if both days are required an empty one does not count, nor one after the last possible day', () => {
  const onChange = vi.fn();
  render(<DayRange from="2026-10-01" to="2026-10-31" max="2026-11-21" required onChange={onChange} />);
  change('From', '');
  change('To', '2026-11-22');
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.blur(screen.getByLabelText('From'));
  expect((screen.getByLabelText('From') as HTMLInputElement).value).toBe('1 Oct 2026');
  change('To', '21 Nov 2026');
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-10-01', to: '2026-11-21' });
});
