"""Unity's files: scenes and assets in its YAML, .meta files, outlines of text assets, C#."""

from __future__ import annotations

from contextlib import suppress

from tests.fuzz.target import Target, texts

from scenewright.core.faults import Fault
from scenewright.csharp.syntax import attributes_of, nodes_below
from scenewright.csharp.syntax import parse as parse_csharp
from scenewright.unity.assets.records import guids_in, kind_in, main_object, own_guid
from scenewright.unity.csharp import read_members, read_types
from scenewright.unity.outlines import outline_of
from scenewright.unity.yaml.edits import Edits
from scenewright.unity.yaml.flow import FlowError, read_flow
from scenewright.unity.yaml.property_spans import locate, property_path
from scenewright.unity.yaml.source import ObjectDocument, UnityFile, read_meta

_SCENE = """%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_ObjectHideFlags: 0
  m_Component:
  - component: {fileID: 101}
  - component: {fileID: 102}
  m_Name: 'Player: one'
  m_Text: "a \\u00e9
    b"
--- !u!4 &101 stripped
Transform:
  m_GameObject: {fileID: 100}
  m_LocalPosition: {x: 0, y: -1.5, z: 1e-05}
  m_Children: []
  m_Father: {fileID: 0}
  m_Notes: |
    one
     two

  m_Long: a word and
    another
--- !u!114 &102
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcdef, type: 3}
  values:
  - - 1
    - 2
  - {}
"""
_META = """fileFormatVersion: 2
guid: 0123456789abcdef0123456789abcdef
TextureImporter:
  internalIDToNameTable:
  - first:
      213: 21300000
    second: hero_0
  platformSettings: []
  userData: ''
"""
_SCRIPT = """using UnityEngine;
namespace Game {
  public enum Kind : byte { None = 0, All = ~0, Two = 1 << 1 | 1 }
  [RequireComponent(typeof(Rigidbody))]
  public class Hero<T> : MonoBehaviour where T : class {
    [SerializeField, Range(0, 10)] private float speed = 5f, jump;
    public string[] Names = { "a", @"b" };
    [System.NonSerialized] public int hidden;
    public delegate void HurtEventHandler(int amount);
    struct Inner { public Vector3 at; }
    void Update() { if (speed > 0) { transform.position += $"{speed}".Length * Vector3.up; } }
  }
}
"""
_OUTLINES = (
    ("a.uxml", '<ui:UXML xmlns:ui="UnityEngine.UIElements"><ui:Label name="t" text="&lt;a"/><!-- <b> --></ui:UXML>'),
    ("a.uss", "/* a */ .row > Label#t:hover { color: rgb(1, 2, 3); --x: url('a;b'); }"),
    ("a.inputactions", '{"name":"A","maps":[{"name":"M","actions":[{"name":"Jump","type":"Button"}],"bindings":[]}]}'),
    ("a.asmdef", '{"name":"Game","references":["GUID:0123"],"includePlatforms":[]}'),
    ("a.cs", _SCRIPT),
)


def _scene(data: bytes) -> None:
    """Each object is read; a value set to itself changes no byte."""
    file = UnityFile(data, "Assets/a.unity")
    edits = Edits(file)
    for document in file.documents[:40]:
        with suppress(Fault):
            _read(document)
            for name, value in list(document.data.items())[:10]:
                path = property_path(name)
                if locate(document, path) is not None:
                    edits.set_value(document, path, value)
    assert edits.applied().data == data


def _read(document: ObjectDocument) -> None:
    assert file_text(document) in document.file.data
    _ = document.type_name, document.tree


def file_text(document: ObjectDocument) -> bytes:
    return document.file.data[document.start : document.end]


def _meta(data: bytes) -> None:
    own_guid(data)
    guids_in(data)
    main_object(data, data)
    kind_in(data, "serialized")
    read_meta(data)


def _flow(data: bytes) -> None:
    read_flow(data.decode("utf-8", "replace"))


def _csharp(data: bytes) -> None:
    read_types(data)
    read_members(data)
    root = parse_csharp(data)
    for node in list(nodes_below(root, {"class_declaration"}, inside_types=True))[:20] if root is not None else ():
        attributes_of(node)


def _outline(data: bytes) -> None:
    """The first line names the file."""
    path, _, content = data.partition(b"\n")
    name = path.decode("utf-8", "replace")
    outline_of(next((known for known, _ in _OUTLINES if known == name), "a.uxml"), content)


_YAML = (
    b"--- !u!1 &1\n",
    b"  - ",
    b": {",
    b"fileID: ",
    b": |\n",
    b": >\n",
    b" stripped",
    b"\r\n",
    b"'",
    b": '",
    b"? ",
    b"&a ",
    b"*a",
)
_CODE = (b"class ", b"enum E { A = ", b"[SerializeField] ", b"<T>", b'@"', b'$"{', b"#if A\n", b"/*", b"=> ")

TARGETS = (
    Target(
        "unity.scene", _scene, texts(_SCENE), files=(".unity", ".prefab", ".asset", ".mat", ".controller"), words=_YAML
    ),
    Target("unity.meta", _meta, texts(_META), files=(".meta",), words=_YAML),
    Target("unity.flow", _flow, texts("{a: {b: [1, 'x', \"y\"]}, c: }", "[" * 2000), refuses=(Fault, FlowError)),
    Target("unity.csharp", _csharp, texts(_SCRIPT), files=(".cs",), words=_CODE),
    Target("unity.outline", _outline, texts(*(f"{path}\n{text}" for path, text in _OUTLINES)), words=_CODE),
)
