"""What expressions and calls in probes may name: the scene, autoloads, some singletons, and what only looks or plays.

It keeps a model from a shell on a server that only probes. It is no sandbox: the game's own code runs as it likes. The
engine's `Expression` resolves no classes, so that objects come only from the scene and from what is listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from scenewright.core.faults import Denied, Invalid

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex

__all__ = ["DENIED", "SINGLETONS", "check_expression", "is_ours", "may_set"]

SINGLETONS: Final = (
    "AudioServer",
    "Engine",
    "Geometry2D",
    "Geometry3D",
    "Input",
    "InputMap",
    "NavigationServer2D",
    "NavigationServer3D",
    "Performance",
    "PhysicsServer2D",
    "PhysicsServer3D",
    "ProjectSettings",
    "RenderingServer",
    "ThemeDB",
    "Time",
    "TranslationServer",
)
# By these, a name that is only text becomes a call, or an object is given other code.
_REFLECTION: Final = """
    call callv call_deferred call_group call_group_flags call_deferred_thread_group call_thread_safe set_group
    set_group_flags propagate_call rpc rpc_id bind bindv unbind
    set set_deferred set_indexed set_deferred_thread_group set_thread_safe set_script get_script script source_code new
    reload track_insert_key track_set_key_value tween_property get_singleton register_singleton
    register_script_language add_do_property add_undo_property
    instance_from_id str_to_var bytes_to_var bytes_to_var_with_objects var_to_bytes_with_objects rid_from_int64
    base64_to_variant Callable Signal Object load preload get_object get_bound_arguments
"""
# These take code, or the place of what is then loaded, opened or written, as text.
_PLACING: Final = """
    set_source_code set_advance_expression set_gltf_to_godot_expression set_godot_to_gltf_expression
    parse_expressions_for_values track_set_path _set_bundled_scene
    load_bitmap_font load_dynamic_font load_support_data load_encrypted load_encrypted_pass append_from_buffer
    set_base_path set_scene_file_path add_spawnable_scene set_download_file set_http_proxy set_https_proxy set_file
    set_uri set_current_dir set_current_path set_current_file set_root_subfolder load_threaded_get unregister_singleton
"""
# These call what they are given.
_CALLING: Final = """
    add_custom_monitor add_do_method add_group_task add_task add_undo_method agent_set_avoidance_callback all any
    area_set_area_monitor_callback area_set_monitor_callback bake_from_source_geometry_data
    bake_from_source_geometry_data_async body_set_force_integration_callback body_set_state_sync_callback bsearch_custom
    buffer_get_data_async call_on_render_thread canvas_item_set_visibility_notifier compositor_effect_set_callback
    connect filter find_custom map parse_source_geometry_data query_path reduce register_message_capture
    request_frame_drawn_callback rfind_custom set_auth_callback set_custom_draw_callback set_custom_interpolator
    set_drag_forwarding set_gutter_custom_draw set_method set_spawn_function set_tooltip_request_func sort_custom
    source_geometry_parser_set_callback texture_get_data_async tween_callback tween_method
    visibility_notifier_set_callbacks add_visibility_filter register_server set_get_icon_callback
    set_get_thumbnail_callback
"""
# The system, files and the network, for objects that a script of the project holds.
_SYSTEM: Final = """
    execute execute_with_pipe create_process create_instance shell_open shell_show_in_file_manager open_with_program
    move_to_trash make_dir make_dir_absolute make_dir_recursive make_dir_recursive_absolute copy_absolute
    rename_absolute remove_absolute get_file_as_bytes get_file_as_string get_files_at get_directories_at list_dir_begin
    get_environment set_environment unset_environment read_string_from_stdin eval class_call_static class_set_property
    request request_raw request_permission load_extension load_resource_pack load_from_file load_threaded_request
    set_setting change_scene_to_file clipboard_get clipboard_set get_cmdline_args append_from_file
    open_compressed open_encrypted open_encrypted_with_pass change_dir create_link read_link read_file start_file
    pck_start add_file connect_to_host connect_to_url create_client create_server listen load_extension_from_function
    reload_extension unload_extension call_recursive list_directory set_extended_attribute
    set_extended_attribute_string set_hidden_attribute set_read_only_attribute set_unix_permissions
    remove_extended_attribute
"""
_WRITES: Final = """
    save save_all_scenes save_custom save_dds save_encrypted save_encrypted_pass save_exr save_jpg save_png save_scene
    save_scene_as save_support_data save_to_wav save_webp write_file write_to_filesystem
    store_8 store_16 store_32 store_64 store_buffer store_csv_line store_double store_float store_half store_line
    store_pascal_string store_real store_string store_var
"""
DENIED: Final = frozenset(" ".join((_REFLECTION, _PLACING, _CALLING, _SYSTEM, _WRITES)).split())
# Properties that hold code, what calls methods, or the place of what is loaded, opened or written.
_NEVER_SET: Final = frozenset(
    (
        "script",
        "source_code",
        "advance_expression",
        "tracks",
        "_bundled",
        "scene_file_path",
        "download_file",
        "uri",
        "current_dir",
        "current_path",
        "root_subfolder",
    )
)
_OURS: Final = re.compile("_?scenewright", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[\w/:. -]+")
_WORDS: Final = frozenset(("and", "or", "not", "in", "true", "false", "null", "self"))
_TOKEN: Final = re.compile(
    r"""(?P<text>(?<!\\)"(?:\\.|[^"\\])*+"|(?<!\\)'(?:\\.|[^'\\])*+')|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<other>\S)""",
    re.DOTALL,
)
_HINT: Final = (
    f"An expression sees the scene, autoloads, functions such as sqrt, and these singletons: {', '.join(SINGLETONS)}. "
    "What needs more belongs into a script of the project."
)


def check_expression(text: str, index: ClassIndex, parameter: str) -> None:
    """Refuse an expression, as the engine is to read it, that names more than a look at a game needs.

    Raises:
        Denied: it names something that is not allowed.
        Invalid: a quote is not closed.
    """
    for name, is_member in _names(text, parameter):
        if name in DENIED or is_ours(name):
            reason = "it reaches beyond the game"
        elif not is_member and name not in SINGLETONS and _is_class(name, index):
            reason = "classes and other singletons are not to be had here"
        else:
            continue
        raise Denied(f"'{parameter}' may not use '{name}': {reason}.", hint=_HINT, details={"name": name})


def is_ours(name: str) -> bool:
    """Return whether a name belongs to what we bring into a game, which does more than callers may."""
    return _OURS.match(name) is not None


def may_set(name: str) -> bool:
    """Return whether a property may be set by name: any but those that hold code or lead elsewhere.

    The name is taken as it is written: a literal such as `&"script"` is no name.
    """
    parts = re.split(r"[:/]", name)
    return _PLAIN.fullmatch(name) is not None and _NEVER_SET.isdisjoint(parts) and not any(map(is_ours, parts))


def _names(text: str, parameter: str) -> Iterator[tuple[str, bool]]:
    """The names outside quotes, and whether each belongs to what stands before it."""
    before = ""
    for token in _TOKEN.finditer(text):
        if token["other"] in ('"', "'"):
            raise Invalid(f"A quote in '{parameter}' is not closed.", path=f"input.{parameter}", rule="expression")
        if token["name"] and token["name"] not in _WORDS:
            yield token["name"], before == "."
        before = token[0]


def _is_class(name: str, index: ClassIndex) -> bool:
    return name in index and index.class_info(name).kind == "class"
