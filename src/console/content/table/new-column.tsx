/** Asks for the name of a member that no row has yet: its column is empty until a cell is typed. */
import type { IconColumnInsertRight } from '../../icons/icons.js';
import { MemberNamePopover } from '../../parts/form/member-name-popover.js';
import { ToolButton } from '../../parts/tool-button.js';

export interface NewColumnProps {
  readonly icon: typeof IconColumnInsertRight;
  /** Names that are columns already. */
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

export function NewColumn({ icon, taken, onAdd }: NewColumnProps) {
  return (
    <MemberNamePopover
      label="New column"
      position="bottom-end"
      returnFocus
      taken={taken}
      takenText="A column with this name exists."
      target={(toggle) => (
        <ToolButton icon={icon} onClick={toggle}>
          Add a column
        </ToolButton>
      )}
      onAdd={onAdd}
    />
  );
}
