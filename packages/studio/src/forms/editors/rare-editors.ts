// Editors of fields that the picture of a canvas does not wait for: they are loaded at the first click or key.
export { AssignmentsEditor } from './AssignmentsEditor.tsx';
export { CarouselEditor } from './CarouselEditor.tsx';
export { BudgetsEditor, ChecksEditor, VariablesEditor } from './ListEditors.tsx';
export { MediaEditor } from './MediaEditor.tsx';
export { PairsEditor, ParametersEditor } from './PairsEditor.tsx';
export { OperatorSelect, TeamSelect } from './PersonSelect.tsx';
export { BodyEditor, MethodEditor } from './RequestEditors.tsx';
export { RuleEditor } from './RuleEditor.tsx';
export { InvalidEditor, SaveAsEditor } from './SuggestEditors.tsx';
export { ToolsEditor } from './ToolsEditor.tsx';
export { ExitsEditor, OptionsEditor } from './WaysEditor.tsx';
export { WeekEditor } from './WeekEditor.tsx';
