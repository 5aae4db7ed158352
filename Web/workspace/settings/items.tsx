import {
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { OpenContext, useSettings } from "./settings-context";
import { settingsTexts } from "../i18n/settings-texts";

const text = settingsTexts.item;

interface ItemsProps<T> {
  readonly items: readonly T[];
  readonly id: (item: T) => string;
  readonly title: (item: T) => string;
  readonly sub?: (item: T) => ReactNode;
  readonly badge?: (item: T) => ReactNode;
  readonly set: (items: readonly T[]) => void;
  /** A new one; without it nothing can be added here. */
  readonly add?: { readonly label: string; readonly name?: string; readonly make: () => T };
  /** Why this one cannot be removed. */
  readonly keeps?: (item: T) => string | undefined;
  /** The order means something. */
  readonly sorts?: boolean;
  /** How many problems this one has. */
  readonly bad: (item: T) => number;
  readonly empty?: ReactNode;
  readonly children: (item: T, set: (item: T) => void) => ReactNode;
}

/** A list of items of which one at a time is open for editing. */
export function Items<T>(props: ItemsProps<T>): ReactElement {
  const { items, id, title, set, add, sorts = false } = props;
  const [open, setOpen] = useContext(OpenContext);
  const [dragged, setDragged] = useState<string | undefined>();
  const list = useRef<HTMLUListElement>(null);
  const fresh = useRef<string | undefined>();
  useEffect(() => {
    if (fresh.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(fresh.current)}"] .item-body input`)?.focus();
    fresh.current = undefined;
  });
  const fillIn = useFillIn();
  const move = useMove(props);
  const made = ({ make }: NonNullable<typeof add>): void => {
    const item = make();
    fresh.current = id(item);
    fillIn(id(item));
    set([...items, item]);
    setOpen(id(item));
  };
  const over = (event: DragEvent, to: number): void => {
    const from = items.findIndex((item) => id(item) === dragged);
    if (from < 0) return;
    event.preventDefault();
    if (from !== to) move(from, to);
  };
  return (
    <>
      {items.length === 0 && props.empty !== undefined && <p className="a-empty">{props.empty}</p>}
      <ul className="items" ref={list}>
        {items.map((item, i) => (
          <Item
            key={id(item)}
            {...props}
            item={item}
            isOpen={open === id(item)}
            toggle={() => setOpen(open === id(item) ? undefined : id(item))}
            dragged={dragged === id(item)}
            over={(event) => over(event, i)}
            handle={sorts
              ? (
                <Handle
                  name={title(item)}
                  move={(by) => move(i, i + by)}
                  drag={(on) => setDragged(on ? id(item) : undefined)}
                />
              )
              : undefined}
          />
        ))}
      </ul>
      {add !== undefined && (
        <button type="button" className="button add" aria-label={add.name} onClick={() => made(add)}>
          <Plus />
          {add.label}
        </button>
      )}
    </>
  );
}

/** A function that begins filling in a new item; the page's end is its end. */
function useFillIn(): (id: string) => void {
  const { editor } = useSettings();
  useEffect(() => () => editor.fillIn(undefined), [editor]);
  return (id) => editor.fillIn(id);
}

/** Moves an item to another place, and announces it. */
function useMove<T>({ items, set, title }: ItemsProps<T>): (from: number, to: number) => void {
  const announce = useAnnounce();
  return (from, to) => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    const rest = items.filter((_, i) => i !== from);
    set([...rest.slice(0, to), item, ...rest.slice(to)]);
    announce(text.moved({ name: title(item), place: to + 1, of: items.length }));
  };
}

interface ItemProps<T> extends ItemsProps<T> {
  readonly item: T;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly handle: ReactNode;
  readonly dragged: boolean;
  readonly over: (event: DragEvent) => void;
}

function Item<T>(props: ItemProps<T>): ReactElement {
  const { item, items, id, title, sub, badge, set, keeps, bad, isOpen, toggle, handle, dragged, over, children } =
    props;
  const name = title(item) || text.unnamed;
  const key = id(item);
  const body = useId();
  const announce = useAnnounce();
  const { editor } = useSettings();
  const problems = bad(item);
  const kept = keeps?.(item);
  const remove = (): void => {
    set(items.filter((one) => id(one) !== key));
    announce(text.removed({ name }));
  };
  return (
    <li
      className="item"
      data-item={key}
      data-open={isOpen || undefined}
      data-dragged={dragged || undefined}
      onDragOver={over}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) editor.fillIn(undefined);
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <div className="item-head">
        {handle}
        <button type="button" className="item-title" aria-expanded={isOpen} aria-controls={body} onClick={toggle}>
          <span className="item-name" dir="auto">{name}</span>
          {sub !== undefined && <span className="item-sub">{sub(item)}</span>}
          <span className="item-badges">
            {problems > 0 && (
              <span className="a-badge a-badge-bad">
                <Icon name="warn" />
                {settingsTexts.save.fix({ count: problems })}
              </span>
            )}
            {badge?.(item)}
          </span>
          <Icon name="down" />
        </button>
      </div>
      <div className="item-body" id={body} hidden={!isOpen}>
        {isOpen && (
          <>
            {children(item, (next) => set(items.map((one) => (id(one) === key ? next : one))))}
            <ItemFooter id={`${body}k`} kept={kept} remove={remove} />
          </>
        )}
      </div>
    </li>
  );
}

function ItemFooter(
  { id, kept, remove }: { id: string; kept: string | undefined; remove: () => void },
): ReactElement {
  return (
    <div className="item-foot">
      <button
        type="button"
        className="button button-quiet"
        disabled={kept !== undefined}
        aria-describedby={kept === undefined ? undefined : id}
        onClick={remove}
      >
        {text.remove}
      </button>
      {kept !== undefined && <span className="a-hint" id={id}>{kept}</span>}
    </div>
  );
}

/** Moves an item: by dragging, and with the arrow keys. */
function Handle(
  { name, move, drag }: { name: string; move: (by: number) => void; drag: (on: boolean) => void },
): ReactElement {
  const key = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    move(by);
  };
  return (
    <button
      type="button"
      className="handle"
      draggable
      aria-label={text.drag({ name })}
      title={text.drag({ name })}
      onKeyDown={key}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", name);
        drag(true);
      }}
      onDragEnd={() => drag(false)}
    >
      <svg viewBox="0 0 20 20" className="glyph" aria-hidden="true">
        <path d="M8 5.5h.01M12 5.5h.01M8 10h.01M12 10h.01M8 14.5h.01M12 14.5h.01" />
      </svg>
    </button>
  );
}

export function Plus(): ReactElement {
  return (
    <svg viewBox="0 0 20 20" className="glyph" aria-hidden="true">
      <path d="M10 4.5v11M4.5 10h11" />
    </svg>
  );
}
