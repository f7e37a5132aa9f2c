/** The rules in order, as cards to open, move, add and remove. */
import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { useDraft } from '../../draft/draft-context.js';
import { styleNonce } from '../../theme.js';
import { issuesOfRule } from '../mapping-issues.js';
import {
  brokenText,
  type Cards,
  editRule,
  moveRule,
  removeRule,
  removeVariant,
  typeSource,
} from './cards-state.js';
import { shownSource } from './json-source.js';
import { RuleCard } from './rule-card.js';
import { copyOfRule, endTest, proposeSalt, setRuleMember, toTest } from './rule-edits.js';
import type { RuleHandle } from './rule-handle.js';
import { type RuleView, readMapping } from './rule-view.js';
import type { CardsHandle, NewRule } from './use-cards.js';

export interface RuleListProps {
  readonly cards: Cards;
  readonly edit: CardsHandle['edit'];
  readonly add: CardsHandle['add'];
  readonly errors: readonly ValidationIssue[];
  readonly warnings: readonly ValidationIssue[];
  readonly openKeys: ReadonlySet<string>;
  readonly newKey: string | null;
  readonly onToggle: (key: string) => void;
  /** A rule was added and should be visible. */
  readonly onAdded: (key: string) => void;
}

const noRule: RuleView = {
  ...{ segment: '', when: null, info: null, from: null, until: null },
  ...{ repeat: null, salt: null, layer: null, slice: null, holdout: null },
  ...{ variants: null, mutation: null, others: [] },
};

const undoMs = 12_000;

// Each card costs a few milliseconds per change; more cards are rarely needed at once.
const cardsAtOnce = 60;

export function RuleList(props: RuleListProps) {
  const { cards, edit, add, errors, warnings, openKeys, newKey, onToggle, onAdded } = props;
  const { saved, mayEdit } = useDraft();
  const savedRules = useMemo(() => {
    const view = readMapping(saved.mapping);
    return view.ok ? view.rules : [];
  }, [saved.mapping]);
  const names = cards.rules.map((rule) => rule?.segment ?? '');
  const undo = useUndo((rule) => onAdded(add(() => rule)));
  const [cardsMax, setCardsMax] = useState(cardsAtOnce);
  const lastOpen = cards.keys.findLastIndex((key) => openKeys.has(key));
  const shownKeys = cards.keys.slice(0, Math.max(cardsMax, lastOpen + 1));
  const hiddenCount = cards.keys.length - shownKeys.length;

  const handleOf = (key: string, index: number): RuleHandle => {
    const rule = cards.rules[index] ?? noRule;
    const ruleErrors = issuesOfRule(errors, index);
    return {
      ...{ key, index, rule, names, readOnly: !mayEdit },
      errors: ruleErrors,
      warnings: issuesOfRule(warnings, index),
      saved: savedOf(rule, savedRules),
      set: (name, source) =>
        edit((now) => editRule(now, key, (text, at) => setRuleMember(text, at, name, source))),
      edit: (change) => edit((now) => editRule(now, key, change)),
      type: (path, text) => edit((now) => typeSource(now, key, path, text)),
      broken: (path) => brokenText(cards, key, path),
      sourceAt: (path) => shownSource(cards.base, [index, ...path]),
      removeVariant: (variant) => edit((now) => removeVariant(now, key, variant)),
    };
  };

  const remove = (key: string, index: number): void => {
    const source = cards.sources[index] ?? '';
    edit((now) => removeRule(now, key));
    undo({ source, index }, names[index] ?? '');
  };
  const duplicate = (index: number): void => {
    const [source, rule] = [cards.sources[index], cards.rules[index]];
    if (source === undefined || rule === null || rule === undefined) return;
    const copy = copyOfRule(source, rule, saved.id, names);
    onAdded(add(() => ({ index: index + 1, source: copy })));
  };

  return (
    <DragDropContext
      nonce={styleNonce()}
      onDragEnd={({ source, destination }) => {
        if (destination === null || destination.index === source.index) return;
        edit((now) => moveRule(now, source.index, destination.index));
      }}
    >
      <Droppable droppableId="rules">
        {(list) => (
          <div ref={list.innerRef} {...list.droppableProps}>
            {shownKeys.map((key, index) => (
              <Draggable key={key} draggableId={key} index={index} isDragDisabled={!mayEdit}>
                {(item, { isDragging }) => (
                  <div ref={item.innerRef} {...item.draggableProps}>
                    <Stack pb="xs" gap={0}>
                      <RuleCard
                        handle={handleOf(key, index)}
                        isForeign={cards.rules[index] === null}
                        isOpen={openKeys.has(key)}
                        isNew={key === newKey}
                        isLast={index === cards.keys.length - 1}
                        brokenCount={cards.broken.filter((one) => one.key === key).length}
                        dragHandle={item.dragHandleProps}
                        isDragged={isDragging}
                        onToggle={() => onToggle(key)}
                        onMove={(by) => edit((now) => moveRule(now, index, index + by))}
                        onDuplicate={() => duplicate(index)}
                        onRemove={() => remove(key, index)}
                        onMakeTest={() =>
                          edit((now) =>
                            editRule(now, key, (text, at) =>
                              toTest(
                                text,
                                at,
                                cards.rules[index] ?? noRule,
                                proposeSalt(saved.id, names[index] ?? ''),
                              ),
                            ),
                          )
                        }
                        onEndTest={(variant) =>
                          edit((now) =>
                            editRule(now, key, (text, at) => endTest(text, at, variant)),
                          )
                        }
                      />
                    </Stack>
                  </div>
                )}
              </Draggable>
            ))}
            {list.placeholder}
            {hiddenCount > 0 && (
              <Button variant="default" onClick={() => setCardsMax(shownKeys.length + cardsAtOnce)}>
                Show more rules ({hiddenCount} more)
              </Button>
            )}
          </div>
        )}
      </Droppable>
    </DragDropContext>
  );
}

/** By name; a renamed rule is recognised by its salt. */
function savedOf(rule: RuleView, saved: readonly (RuleView | null)[]): RuleView | null {
  const named = saved.find((one) => one?.segment === rule.segment);
  const salted = saved.find((one) => one?.salt !== null && one?.salt === rule.salt);
  return named ?? salted ?? null;
}

/** Offers to restore a removed rule while the list is shown. */
function useUndo(restore: (rule: NewRule) => void) {
  const shown = useRef(new Set<string>());
  useEffect(() => {
    const ids = shown.current;
    return () => {
      for (const id of ids) notifications.hide(id);
    };
  }, []);
  return (rule: NewRule, name: string): void => {
    const id = notifications.show({
      autoClose: undoMs,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">Removed the rule {name}.</Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(id);
              restore(rule);
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    });
    shown.current.add(id);
  };
}
